/** Searches in what is sorted. */

/** How many items from the start satisfy `holds`; after the first that does not, none may. O(log n). */
export function countFromStart<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Nodes are named A, B, C, … */
import type { NodeName } from "../history/event.ts";

export const NODE_COUNT_MAX = 9;

const LETTERS = "ABCDEFGHI";

export function nodeNames(nodeCount: number): readonly NodeName[] {
  return [...LETTERS.slice(0, nodeCount)];
}

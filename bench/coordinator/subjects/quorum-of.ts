/**
 * Asks all nodes at once: true with the third yes, false with the third no, or with silence that can no longer
 * become a yes. The least that has to be done with five answers.
 */
export function quorumOf<Node, Reply>(
  nodes: readonly Node[],
  ask: (node: Node) => Promise<Reply>,
  isYes: (reply: Reply) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    const quorum = Math.floor(nodes.length / 2) + 1;
    let yesCount = 0;
    let noCount = 0;
    const no = (): void => {
      noCount += 1;
      if (noCount > nodes.length - quorum) resolve(false);
    };
    for (const node of nodes) {
      ask(node).then((reply) => {
        if (!isYes(reply)) no();
        else if (++yesCount === quorum) resolve(true);
      }, no);
    }
  });
}

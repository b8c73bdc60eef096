/** What is wrong with a membership, judged from what its nodes say of themselves. Pure. */
import type { NodeFacts, NodeReport } from "../ports/node-facts.ts";
import type { Finding } from "./finding.ts";

interface Told {
  readonly node: string;
  readonly facts: NodeFacts;
}

/**
 * Wall clocks that are kept by NTP differ by milliseconds. One that is this far off is not, and its keys expire
 * early or late when somebody sets it right (envelope, 2).
 */
const CLOCK_DIFFERENCE_MAX_MS = 1000;
const SAFE_EVICTION_POLICY = "noeviction";

/** All findings, the refusals first. @param reports one for each node of the membership, in its order. */
export function judgeNodes(reports: readonly NodeReport[]): readonly Finding[] {
  const told = reports.filter((report) => report.kind === "told");
  return [
    ...told.flatMap(roleFindings),
    ...sameServerFindings(told),
    ...countFindings(reports.length),
    ...told.flatMap(evictionFindings),
    ...differenceFindings(told),
    ...clockFindings(told),
    ...deniedFindings(told),
    ...reports.flatMap(unreachedFindings),
  ];
}

function roleFindings({ node, facts }: Told): readonly Finding[] {
  const { givenAs, mode, role } = facts;
  if (mode === "sentinel") {
    const message = `${node} is a Redis Sentinel: name the master that it watches as {sentinels: [address], name}`;
    return [{ code: "sentinel", severity: "refusal", nodes: [node], message }];
  }
  if (mode === "cluster" && givenAs !== "cluster") {
    const message = `${node} is one server of a Redis Cluster and takes only some keys: name the cluster as one node, {cluster: [address]}`;
    return [{ code: "cluster-server", severity: "refusal", nodes: [node], message }];
  }
  // A master that is looked up may just be changing places: its votes say so, and it is looked up again.
  const isFixed = givenAs === "server" || givenAs === "socket";
  if (role !== "replica" || !isFixed) return [];
  const message = `${node} is a replica: it copies another server and forgets what that one forgets; name its master`;
  return [{ code: "replica", severity: "refusal", nodes: [node], message }];
}

function sameServerFindings(told: readonly Told[]): readonly Finding[] {
  return groupsOf(told, ({ runId }) => runId)
    .filter(({ nodes }) => nodes.length > 1)
    .map(({ value, nodes }) => ({
      code: "same-server",
      severity: "refusal",
      nodes,
      message: `${nodes.join(" and ")} are one server (run_id ${value}) under several addresses: its vote would count ${String(nodes.length)} times`,
    }));
}

function countFindings(nodeCount: number): readonly Finding[] {
  if (nodeCount % 2 === 1) return [];
  const tolerated = String(nodeCount / 2 - 1);
  const message = `${String(nodeCount)} nodes survive the failure of ${tolerated}, and so do ${String(nodeCount - 1)}: take an odd number`;
  return [{ code: "even-count", severity: "warning", nodes: [], message }];
}

function evictionFindings({ node, facts: { evictionPolicy } }: Told): readonly Finding[] {
  if (evictionPolicy === undefined || evictionPolicy === SAFE_EVICTION_POLICY) return [];
  const message = `${node} evicts keys when its memory is full (maxmemory-policy ${evictionPolicy}), those of locks too: set ${SAFE_EVICTION_POLICY}`;
  return [{ code: "eviction", severity: "warning", nodes: [node], message }];
}

function differenceFindings(told: readonly Told[]): readonly Finding[] {
  return [
    ...differenceIn(told, "persistence", ({ persistence }) => persistence),
    ...differenceIn(told, "maxmemory-policy", ({ evictionPolicy }) => evictionPolicy),
    ...differenceIn(told, "version", ({ version }) => version),
  ];
}

function differenceIn(
  told: readonly Told[],
  what: string,
  valueOf: (facts: NodeFacts) => string | undefined,
): readonly Finding[] {
  const groups = groupsOf(told, valueOf);
  if (groups.length < 2) return [];
  const texts = groups.map(({ value, nodes }) => `${nodes.join(", ")}: ${value}`);
  const nodes = groups.flatMap((group) => group.nodes);
  const message = `the nodes differ in ${what} (${texts.join("; ")}): what one survives another may not`;
  return [{ code: "different-settings", severity: "warning", nodes, message }];
}

/** Against the middle of all clocks, so that one that is wrong does not make the others look so. */
function clockFindings(told: readonly Told[]): readonly Finding[] {
  const offsets = told.flatMap(({ facts }) => (facts.clock === undefined ? [] : [facts.clock.offsetMs]));
  const middleMs = offsets.sort((a, b) => a - b)[Math.floor(offsets.length / 2)] ?? 0;
  return told.flatMap(({ node, facts: { clock } }): readonly Finding[] => {
    if (clock === undefined || offsets.length < 2) return [];
    const aheadMs = clock.offsetMs - middleMs;
    if (Math.abs(aheadMs) - clock.uncertaintyMs <= CLOCK_DIFFERENCE_MAX_MS) return [];
    const direction = aheadMs > 0 ? "ahead of" : "behind";
    const message = `the wall clock of ${node} is about ${String(Math.round(Math.abs(aheadMs) / 1000))} s ${direction} the others: set right while locks live, it makes keys expire at the wrong time; keep it by NTP`;
    return [{ code: "clock-difference", severity: "warning", nodes: [node], message }];
  });
}

function deniedFindings(told: readonly Told[]): readonly Finding[] {
  return groupsOf(told, ({ denied }) => (denied.length === 0 ? undefined : denied.join(", "))).map(
    ({ value, nodes }) => ({
      code: "denied",
      severity: "warning",
      nodes,
      message: `${nodes.join(", ")} ${nodes.length === 1 ? "does" : "do"} not answer ${value} to this user, so not all could be checked`,
    }),
  );
}

function unreachedFindings(report: NodeReport): readonly Finding[] {
  if (report.kind === "told") return [];
  const message = `${report.node} could not be asked in time: ${report.cause}`;
  return [{ code: "unreached", severity: "warning", nodes: [report.node], message }];
}

/** Nodes by what they tell, in the order of the membership; those that do not tell are in no group. */
function groupsOf(
  told: readonly Told[],
  valueOf: (facts: NodeFacts) => string | undefined,
): readonly { readonly value: string; readonly nodes: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { node, facts } of told) {
    const value = valueOf(facts);
    if (value === undefined) continue;
    const nodes = groups.get(value) ?? [];
    nodes.push(node);
    groups.set(value, nodes);
  }
  return [...groups].map(([value, nodes]) => ({ value, nodes }));
}

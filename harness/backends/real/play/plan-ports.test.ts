import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { at, planWorker } from "../../../scenario/story-parts.ts";
import { DEFAULT_SETTINGS } from "../../../scenario/lab-settings.ts";
import { planPorts, portCount } from "./plan-ports.ts";

describe("planPorts", () => {
  test.prop([fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 6 })])(
    "every server and every link has a port of its own, and none is left over",
    (nodeCount, workerCount) => {
      const cast = {
        nodes: Array.from({ length: nodeCount }, (_, index) => String.fromCharCode(65 + index)),
        workers: Array.from({ length: workerCount }, (_, index) =>
          planWorker(`W${index + 1}`, DEFAULT_SETTINGS, { startWhen: at(0) }),
        ),
      };
      const ports = Array.from({ length: portCount(cast) }, (_, index) => 20_000 + index);
      const plan = planPorts(cast, ports);
      const used = [
        plan.toxiproxyPort,
        plan.counterPort,
        plan.resourcePort,
        ...cast.nodes.map(plan.nodePort),
        ...cast.workers.flatMap(({ id }) => cast.nodes.map((node) => plan.linkPort(id, node))),
      ];
      expect(used.toSorted((left, right) => left - right)).toEqual(ports);
    },
  );
});

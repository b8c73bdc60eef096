/** `npm run docs:faults`: writes docs/faults.md anew. */
import { writeFileSync } from "node:fs";
import { SCENARIOS } from "../../scenarios/index.ts";
import { faultGuide } from "./fault-guide.ts";

writeFileSync(new URL("../../docs/faults.md", import.meta.url), faultGuide(SCENARIOS));

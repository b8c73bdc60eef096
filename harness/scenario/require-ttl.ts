/** Stories whose parts have to follow each other within one lifetime cannot be told with any lifetime. */
import { UsageError } from "../lab-error.ts";
import type { LabSettings } from "./lab-settings.ts";

/** @throws UsageError when the TTL is below `ttlMinMs`. */
export function requireTtl({ ttlMs }: LabSettings, scenario: string, ttlMinMs: number): void {
  if (ttlMs < ttlMinMs) {
    throw new UsageError(
      `${scenario} needs a TTL of at least ${ttlMinMs} ms, not ${ttlMs}: its story has to fit into one lifetime.`,
    );
  }
}

/** What a scenario is: a story, the variants it is told in, and what every checker must say of each. */
import type { CheckerName } from "../checkers/checker-name.ts";
import type { LabSettings } from "./lab-settings.ts";
import type { Story } from "./run-plan.ts";

/** What a checker must say. `any` excuses it. */
export type Expectation = "valid" | "invalid" | "any";

/** Checkers that are not named must be valid. */
export type Expectations = Readonly<Partial<Record<CheckerName, Expectation>>>;

export interface Variant {
  /** Kebab-case, unique in its scenario: `plain`, `fenced`, `quorum-4`. */
  readonly name: string;
  readonly summary: string;
  /** What differs from the scenario's settings. */
  readonly settings?: Partial<LabSettings>;
  /** How workers lock; default `redlock`. */
  readonly strategy?: string;
  /** The same idea told another way; default: as the scenario tells it. */
  readonly story?: (settings: LabSettings) => Story;
  readonly expect: Expectations;
}

export interface Alias {
  /** Kebab-case. */
  readonly name: string;
  /** Who told the story first, and where. */
  readonly source: string;
}

export interface Scenario {
  /** `S01`; a user's own story may take any letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  /** What happens and what it shows, in a few sentences. */
  readonly summary: string;
  readonly aliases?: readonly Alias[];
  /** What differs from the laboratory's defaults. */
  readonly settings?: Partial<LabSettings>;
  /** Makes the story for these settings; throws `ScenarioError` when it cannot be told with them. */
  readonly story: (settings: LabSettings) => Story;
  readonly variants: readonly [Variant, ...Variant[]];
}

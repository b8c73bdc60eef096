/** How reports are coloured: whoever prints decides, reports only say what a piece of text means. */

export type Paint = (text: string) => string;

export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  /** A violation that was wanted, or something that cannot be told. */
  readonly notable: Paint;
  readonly faint: Paint;
  readonly strong: Paint;
  /** One for each worker in turn, so that a key can be told from its rival's. */
  readonly workers: readonly [Paint, ...Paint[]];
}

const asIs: Paint = (text) => text;

export const PLAIN_PALETTE: Palette = {
  good: asIs,
  bad: asIs,
  notable: asIs,
  faint: asIs,
  strong: asIs,
  workers: [asIs],
};

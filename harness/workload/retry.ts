/** How the lab's workers wait between attempts; short, so that stories stay short. */
export const RETRY = { retryBaseMs: 20, retryCapMs: 100 } as const;

/** How a release ended. */
export type ReleaseKind = "released" | "expired" | "unconfirmed";

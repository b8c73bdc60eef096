/** Opens a subject by its name. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PeerName, Retry, Subject, SubjectName } from "../subject.ts";
import { openBatched } from "./open-batched.ts";
import { openOurs } from "./open-ours.ts";
import { openRaw } from "./open-raw.ts";

export interface SubjectSpec {
  readonly name: SubjectName;
  readonly urls: readonly string[];
  readonly retry: Retry;
  /** Where the other libraries are installed; empty where they are not wanted. */
  readonly peersFolder: string;
}

export function openSubject({ name, urls, retry, peersFolder }: SubjectSpec): Promise<Subject> {
  switch (name) {
    case "ours":
    case "ours-guarded":
      return openOurs(urls, retry, name === "ours-guarded");
    case "raw":
    case "raw-corked":
      return openRaw(urls, retry, name === "raw-corked");
    case "raw-batched":
      return openBatched(urls);
    default:
      return openPeer(name, { urls, retry, peersFolder });
  }
}

interface Peers {
  open(name: PeerName, urls: readonly string[], retry: Retry): Promise<Subject>;
}

async function openPeer(name: PeerName, spec: Omit<SubjectSpec, "name">): Promise<Subject> {
  const module: unknown = await import(pathToFileURL(join(spec.peersFolder, "peers.js")).href);
  if (!isPeers(module)) throw new Error("peers.js has no open");
  return await module.open(name, spec.urls, spec.retry);
}

function isPeers(module: unknown): module is Peers {
  return typeof module === "object" && module !== null && "open" in module;
}

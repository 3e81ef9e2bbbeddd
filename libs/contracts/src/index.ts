import * as auth from "./auth.ts";
import * as chat from "./chat.ts";
import {
  countVectors,
  deleteParsedFiles,
  embedParsedFile,
  findParsedFiles,
  findPassages,
  findThreadId,
  listContextTexts,
  listFileThreads,
  listParsedFiles,
  parseFile,
  parseThreadFile,
  promoteParsedFile,
  registerParsedFile,
  resetVectorDatabase,
  updatePin,
  updateWatchStatus,
} from "./context.ts";
import * as developer from "./developer.ts";
import * as developerDocument from "./developer-document.ts";
import * as document from "./document.ts";
import {
  describePlaces,
  inspectTurn,
  listRetrievalFacets,
  searchVectors,
  tryRetrieval,
} from "./inspection.ts";
import * as indexBuild from "./index-build.ts";
import * as key from "./key.ts";
import * as library from "./library.ts";
import * as member from "./member.ts";
import * as memory from "./memory.ts";
import type { DomainEvent, Job, Operation } from "./operation.ts";
import * as preference from "./preference.ts";
import * as preset from "./preset.ts";
import * as setting from "./setting.ts";
import * as system from "./system.ts";
import * as turn from "./turn.ts";
import * as user from "./user.ts";
import * as workspace from "./workspace.ts";

export * from "./access.ts";
export * from "./auth.ts";
export * from "./chat.ts";
export * from "./coercion.ts";
export * from "./context.ts";
export * from "./developer.ts";
export * from "./developer-document.ts";
export * from "./document.ts";
export * from "./error.ts";
export * from "./inspection.ts";
export * from "./index-build.ts";
export * from "./key.ts";
export * from "./library.ts";
export * from "./member.ts";
export * from "./memory.ts";
export * from "./operation.ts";
export * from "./preference.ts";
export * from "./preset.ts";
export * from "./setting.ts";
export * from "./source.ts";
export * from "./system.ts";
export * from "./turn.ts";
export * from "./user.ts";
export * from "./workspace.ts";

/** Of the areas that are not listed as a whole: what is ready. */
const mounted: unknown[] = [
  updatePin,
  updateWatchStatus,
  resetVectorDatabase,
  countVectors,
  registerParsedFile,
  findParsedFiles,
  deleteParsedFiles,
  promoteParsedFile,
  listFileThreads,
  listContextTexts,
  findPassages,
  parseThreadFile,
  parseFile,
  listParsedFiles,
  embedParsedFile,
  ...Object.values(preset),
  findThreadId,
  describePlaces,
  inspectTurn,
  listRetrievalFacets,
  searchVectors,
  tryRetrieval,
  ...Object.values(turn),
  ...Object.values(indexBuild),
  ...Object.values(memory),
];
const definitions: unknown[] = [
  auth,
  user,
  key,
  workspace,
  member,
  setting,
  preference,
  chat,
  document,
  library,
  developer,
  developerDocument,
  system,
]
  .flatMap((area) => Object.values(area))
  .concat(mounted);
const has = (value: unknown, key: string): boolean =>
  typeof value === "object" && value !== null && key in value;

/** Every operation of the product; boot checks that each has one handler and an access policy. */
export const operations = definitions.filter(
  (d): d is Operation => has(d, "access") && has(d, "idempotency"),
);
export const jobs = definitions.filter((d): d is Job => has(d, "queue") && has(d, "attempts"));
export const events = definitions.filter((d): d is DomainEvent => has(d, "consumers"));

import { listAcceptedTypes, type DocumentKind } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";

/** Kinds by MIME type, in the order of the list; the first match wins. */
const kinds: [RegExp, DocumentKind][] = [
  [/pdf/, "pdf"],
  [/wordprocessingml|opendocument\.text|rtf|msword/, "word"],
  [/spreadsheet|ms-excel|csv/, "sheet"],
  [/presentation|powerpoint/, "slides"],
  [/html|multipart\/related/, "web"],
  [/epub/, "book"],
  [/mbox|rfc822|outlook/, "mail"],
  [/^image/, "image"],
  [/^audio/, "audio"],
  [/^video/, "video"],
  [/json|xml/, "data"],
  [/^text|subrip/, "text"],
  [/^/, "other"],
];

interface AcceptedFormats {
  kind: DocumentKind;
  /** For example ".pdf". */
  endings: string[];
}

/** The accepted MIME types with their extensions, by kind. */
export function groupFormats(types: Record<string, string[]>): AcceptedFormats[] {
  const endings = new Map<DocumentKind, Set<string>>(kinds.map(([, kind]) => [kind, new Set()]));
  for (const [mime, names] of Object.entries(types)) {
    const kind = kinds.find(([type]) => type.test(mime))?.[1] ?? "other";
    for (const name of names) endings.get(kind)!.add(name);
  }
  return [...endings]
    .filter(([, names]) => names.size > 0)
    .map(([kind, names]) => ({ kind, endings: [...names] }));
}

const acceptedTypes = queryOptions({
  queryKey: documentKeys.acceptedTypes,
  queryFn: ({ signal }) => call(listAcceptedTypes, {}, { signal }),
  staleTime: Infinity,
});

/** The extensions of files that can be uploaded. */
export const acceptedTypesQuery = queryOptions({
  ...acceptedTypes,
  select: (reply) => Object.values(reply.types).flat(),
});
/** The same, by kind. */
export const acceptedFormatsQuery = queryOptions({
  ...acceptedTypes,
  select: (reply) => groupFormats(reply.types),
});

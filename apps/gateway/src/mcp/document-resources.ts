import { CarrelError } from "@carrel/contracts";
import type * as Sdk from "@modelcontextprotocol/server";
import type { McpServer, Resource } from "@modelcontextprotocol/server";
import { z } from "zod";
import { asKnownError, type McpCaller, type WorkspaceTools } from "./workspace-tools.ts";

const perPage = 100;
/** Empty workspaces skipped for one page. */
const mostLookups = 20;
/** Characters of a document read as a resource; `read_document` reads longer ones in parts. */
const mostCharacters = 1_000_000;
const charactersAtOnce = 150_000;

export const documentUri = (slug: string, documentId: string): string =>
  `carrel://${encodeURIComponent(slug)}/${documentId}`;

/** Workspace and document of a resource; null if it isn't one of ours. */
function readDocumentUri(uri: string): { workspace: string; documentId: string } | null {
  const parts = /^carrel:\/\/([^/?#]{1,2000})\/([^/?#]{1,100})$/i.exec(uri);
  if (parts === null || !z.uuid().safeParse(parts[2]).success) return null;
  try {
    return { workspace: decodeURIComponent(parts[1]!), documentId: parts[2]!.toLowerCase() };
  } catch {
    return null;
  }
}

/** Where a page of resources starts: at a place in a workspace's list of documents. */
const place = z.tuple([z.string().max(255), z.string().max(4_000).nullable()]);

const writePlace = (at: z.infer<typeof place>): string =>
  Buffer.from(JSON.stringify(at)).toString("base64url");

function readPlace(cursor: string): z.infer<typeof place> | null {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    return null;
  }
}

/** Every readable document of the workspaces that the caller may use, workspace by workspace. */
async function listResources(
  tools: WorkspaceTools,
  caller: McpCaller,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const slugs = (await tools.listWorkspaces(caller)).map(({ slug }) => slug);
  const from = cursor === undefined ? null : readPlace(cursor);
  let at = from === null ? 0 : slugs.indexOf(from[0]);
  if ((cursor !== undefined && from === null) || at === -1)
    throw new CarrelError("request.invalid", { faults: "The cursor is unknown." });
  let within = from?.[1] ?? null;
  for (let lookups = 0; at < slugs.length; at += 1, lookups += 1) {
    const workspace = slugs[at]!;
    if (lookups === mostLookups)
      return { resources: [], nextCursor: writePlace([workspace, null]) };
    const page = await tools.listDocuments(caller, {
      workspace,
      limit: perPage,
      isReadable: true,
      ...(within !== null && { cursor: within }),
    });
    within = null;
    if (page.documents.length === 0) continue;
    const next = slugs[at + 1];
    const nextPlace: z.infer<typeof place> | null =
      page.nextCursor !== null
        ? [workspace, page.nextCursor]
        : next === undefined
          ? null
          : [next, null];
    return {
      resources: page.documents.map(({ documentId, title, bytes }) => ({
        uri: documentUri(workspace, documentId),
        name: title,
        title,
        mimeType: "text/plain",
        size: bytes,
      })),
      ...(nextPlace !== null && { nextCursor: writePlace(nextPlace) }),
    };
  }
  return { resources: [] };
}

async function readText(
  tools: WorkspaceTools,
  caller: McpCaller,
  document: { workspace: string; documentId: string },
): Promise<string> {
  let text = "";
  for (;;) {
    const { start, length } = { start: text.length, length: charactersAtOnce };
    const part = await tools.readDocument(caller, { ...document, start, length });
    text += part.text;
    if (part.end >= part.length || part.text === "") return text;
    if (text.length >= mostCharacters)
      return `${text}\n\n(Read the rest with the tool read_document from start ${text.length}.)`;
  }
}

/** Offers documents as resources. */
export function addDocumentResources(
  sdk: typeof Sdk,
  { server }: McpServer,
  tools: WorkspaceTools,
  caller: McpCaller,
): void {
  /** Errors leave the server as JSON-RPC errors, with texts for people. */
  const refusing = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof sdk.ProtocolError) throw error;
      const known = asKnownError(error, caller);
      throw new sdk.ProtocolError(
        known.kind === "BAD_INPUT"
          ? sdk.ProtocolErrorCode.InvalidParams
          : sdk.ProtocolErrorCode.InternalError,
        known.message,
      );
    }
  };
  server.setRequestHandler("resources/list", ({ params }) =>
    refusing(() => listResources(tools, caller, params?.cursor)),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        name: "document",
        title: "Document",
        uriTemplate: "carrel://{workspace}/{documentId}",
        description: "The text of a document in a workspace",
        mimeType: "text/plain",
      },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    refusing(async () => {
      const document = readDocumentUri(uri);
      if (document === null) throw new sdk.ResourceNotFoundError(uri);
      try {
        const text = await readText(tools, caller, document);
        return { contents: [{ uri, mimeType: "text/plain", text }] };
      } catch (error) {
        // The caller may not learn which of them is missing.
        if (
          error instanceof CarrelError &&
          ["WORKSPACE_NOT_FOUND", "DOCUMENT_NOT_FOUND"].includes(error.kind)
        )
          throw new sdk.ResourceNotFoundError(uri);
        throw error;
      }
    }),
  );
}

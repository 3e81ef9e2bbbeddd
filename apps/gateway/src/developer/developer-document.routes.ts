import { Readable } from "node:stream";
import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  changeWorkspaceDocuments,
  fetchLink,
  generatedFileName,
  getGeneratedFile,
  getMetadataSchema,
  listDeveloperFolder,
  registerDocument,
  uploadDeveloperDocument,
  uploadDeveloperDocumentToFolder,
  uploadDeveloperLink,
  uploadDeveloperText,
  type Operation,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { WorkspaceScopes } from "../access/workspace-scopes.ts";
import { GeneratedFileRoutes } from "../chat/generated-file.routes.ts";
import { DocumentJson } from "../document/document-json.ts";
import { DocumentWait, unreadable } from "../document/document-wait.ts";
import { LibraryRoutes } from "../document/library.routes.ts";
import { splitPaths } from "../document/path-parts.ts";
import { receiveUpload } from "../document/upload.ts";
import { mapError } from "../http/error-map.ts";
import { setFault } from "../http/fault-header.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { RawTexts } from "./raw-texts.ts";

/** Files and folders in the form that only the developer API uses (wire-contract 9.3). */
@Injectable()
export class DeveloperFolderRoutes {
  constructor(
    private readonly library: LibraryRoutes,
    private readonly files: GeneratedFileRoutes,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(listDeveloperFolder)
  folder({
    input: { name, ...page },
    ...call
  }: Call<typeof listDeveloperFolder>): Promise<unknown> {
    return this.library.writeFolderPage({ folder: name, ...page }, call, (whole) => {
      const { code: _code, ...rest } = whole;
      return rest;
    });
  }

  @Route(getGeneratedFile)
  generatedFile({ input, scope, reply }: Call<typeof getGeneratedFile>): Promise<FastifyReply> {
    const { data: file } = generatedFileName.safeParse(input.filename);
    if (file === undefined) throw new CarrelError("tool.file-missing");
    const ownerless = this.config.DISABLE_VIEW_CHAT_HISTORY;
    return this.files.send({ file, ownerless }, scope, reply);
  }
}

const jsonType = "application/json; charset=utf-8";
/** Maximum number of workspaces that one upload is added to. */
const maxWorkspaces = 100;
/** Metadata fields of raw text, as named on the wire. */
const metadataSchema = {
  url: "string | nullable",
  title: "string",
  docAuthor: "string | nullable",
  description: "string | nullable",
  docSource: "string | nullable",
  chunkSource: "string | nullable",
  published: "epoch timestamp in ms | nullable",
};

/** A document that has been received but not registered. */
interface NewDocument {
  register: () => Promise<{ documentId: string }>;
  addToWorkspaces: string | null | undefined;
}

/** Uploads of the developer API (wire-contract 9.3). They respond with the parsed documents. */
@Injectable()
export class DeveloperDocumentRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly wait: DocumentWait,
    private readonly workspaces: WorkspaceScopes,
    private readonly texts: RawTexts,
    private readonly json: DocumentJson,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(uploadDeveloperDocument)
  upload(call: Call<typeof uploadDeveloperDocument>): Promise<unknown> {
    return this.answer(call, uploadDeveloperDocument, () => this.receive(call, undefined));
  }

  @Route(uploadDeveloperDocumentToFolder)
  uploadToFolder(call: Call<typeof uploadDeveloperDocumentToFolder>): Promise<unknown> {
    return this.answer(call, uploadDeveloperDocumentToFolder, () =>
      this.receive(call, call.input.folderName),
    );
  }

  @Route(uploadDeveloperLink)
  link(call: Call<typeof uploadDeveloperLink>): Promise<unknown> {
    const { link, addToWorkspaces, scraperHeaders, metadata } = call.input;
    return this.answer(call, uploadDeveloperLink, () => {
      if (addToWorkspaces === false) throw new CarrelError("upload.slugs-invalid");
      const register = () =>
        this.requests.request(
          fetchLink,
          { link, embed: false, headers: scraperHeaders ?? {}, metadata: metadata ?? {} },
          { scope: call.scope, idempotencyKey: requestKey(call.request) },
        );
      return { register, addToWorkspaces };
    });
  }

  @Route(uploadDeveloperText)
  rawText(call: Call<typeof uploadDeveloperText>): Promise<unknown> {
    return this.answer(call, uploadDeveloperText, async () => {
      const { textContent, addToWorkspaces, metadata } = call.input;
      if (addToWorkspaces === false) throw new CarrelError("upload.slugs-invalid");
      const text = { textContent, metadata };
      const register = await this.texts.store(text, call.scope, requestKey(call.request));
      return { register, addToWorkspaces };
    });
  }

  @Route(getMetadataSchema)
  schema(): Promise<Out<typeof getMetadataSchema>> {
    return Promise.resolve({ schema: metadataSchema });
  }

  private async receive(
    { request, scope }: Pick<Call, "request" | "scope">,
    folderName: string | undefined,
  ): Promise<NewDocument> {
    const upload = await receiveUpload(request, this.blobs, this.config.CARREL_MAX_UPLOAD);
    const { key: blobKey, sha256, bytes, filename, mime, metadata, addToWorkspaces } = upload;
    const folder = folderName ?? upload.folder;
    const document = { blobKey, sha256, bytes, filename, mime, folder, metadata, embed: false };
    const register = () =>
      this.requests.request(
        registerDocument,
        { ...document, isUpload: true },
        { scope, idempotencyKey: requestKey(request, document) },
      );
    return { register, addToWorkspaces };
  }

  /**
   * Waits until the document is parsed and added to the workspaces, then writes the result;
   * refusals use this API's body.
   */
  private async answer(
    call: Pick<Call, "reply" | "scope" | "signal">,
    operation: Operation,
    receive: () => Promise<NewDocument> | NewDocument,
  ): Promise<unknown> {
    try {
      const { register, addToWorkspaces } = await receive();
      if (call.scope.principal.workspaceIds !== undefined)
        await this.requireWorkspace(call.scope, addToWorkspaces ?? "");
      const { documentId, state, reason } = await this.wait.forNew(
        register,
        call.scope,
        call.signal,
      );
      if (state === "failed") throw unreadable(reason);
      const documents = await this.json.listUploaded(call.scope, documentId);
      if (addToWorkspaces)
        await this.addToWorkspaces(
          call,
          addToWorkspaces,
          documents.map((document) => document.location),
        );
      return await call.reply.type(jsonType).send(
        Readable.from(writeUploaded(this.json.write(call.scope, documents)), {
          objectMode: false,
        }),
      );
    } catch (error) {
      const failure = mapError(error, operation);
      setFault(call.reply, failure.fault);
      const message =
        failure.kind === "json" ? (failure.body as { error?: unknown }).error : failure.body;
      return call.reply
        .code(failure.status)
        .type(jsonType)
        .send(
          JSON.stringify({
            success: false,
            error: message ?? "The document could not be made.",
            documents: [],
          }),
        );
    }
  }

  private async addToWorkspaces(
    { scope, signal }: Pick<Call, "scope" | "signal">,
    slugs: string,
    docpaths: string[],
  ): Promise<void> {
    for (const slug of splitSlugs(slugs)) {
      const workspace = await this.findWorkspace(scope, slug);
      if (workspace === null) continue;
      const added: string[] = [];
      for (const adds of splitPaths(docpaths, 1_000))
        added.push(
          ...(
            await this.requests.request(
              changeWorkspaceDocuments,
              { adds, deletes: [], areNew: true },
              { scope: workspace },
            )
          ).added.map((document) => document.documentId),
        );
      await this.wait.forEnd(added, workspace, signal);
    }
  }

  /** A restricted key can't see a document that is only in the library. */
  private async requireWorkspace(scope: Scope, slugs: string): Promise<void> {
    for (const slug of splitSlugs(slugs))
      if ((await this.findWorkspace(scope, slug)) !== null) return;
    throw new CarrelError("access.key-workspace-missing");
  }

  /** null: unknown, which the wire ignores. */
  private findWorkspace({ principal }: Scope, slug: string): Promise<WorkspaceScope | null> {
    return this.workspaces.resolve(principal, slug).catch((error: unknown) => {
      if (error instanceof CarrelError && error.kind === "WORKSPACE_NOT_FOUND") return null;
      throw error;
    });
  }
}

const splitSlugs = (slugs: string): string[] =>
  [...new Set(slugs.split(",").map((part) => part.trim()))]
    .filter((part) => part !== "")
    .slice(0, maxWorkspaces);

async function* writeUploaded(documents: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"success":true,"error":null,"documents":';
  yield* documents;
  yield "}";
}

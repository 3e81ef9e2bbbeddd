import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  changeWorkspaceDocuments,
  fetchLink,
  getDocumentStates,
  identicalHeader,
  registerDocument,
  renderReason,
  updateEmbeddings,
  uploadAndEmbed,
  uploadDocument,
  uploadLink,
  toFault,
  type KnownFault,
  type Operation,
  type In,
  type Out,
  type ReasonWire,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { mapError } from "../http/error-map.ts";
import { setFault } from "../http/fault-header.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { WorkspaceView } from "../workspace/workspace.view.ts";
import { DocumentWait, findWait, type DocumentOutcome, unreadable } from "./document-wait.ts";
import { splitPaths } from "./path-parts.ts";
import { receiveUpload, type Upload } from "./upload.ts";

/** Maximum number of paths that one request changes. */
const pathsAtOnce = 1_000;
const inLibrary = (scope: Scope): Scope => ({ ...scope, workspace: null });

@Injectable()
export class DocumentRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly wait: DocumentWait,
    private readonly view: WorkspaceView,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(uploadDocument)
  upload(call: Call<typeof uploadDocument>): Promise<unknown> {
    return this.answer(call, uploadDocument, {}, async () => {
      const scope = inLibrary(call.scope);
      const upload = await this.receive(call);
      const register = () => this.register(call, upload, scope, false);
      if (prefersNow(call)) {
        await register();
        return accept(call, { success: true, error: null });
      }
      const outcome = await this.wait.forNew(register, scope, call.signal);
      if (outcome.state === "failed") throw unreadable(outcome.reason);
      return { success: true, error: null };
    });
  }

  @Route(uploadAndEmbed)
  uploadAndEmbed(call: Call<typeof uploadAndEmbed>): Promise<unknown> {
    return this.answer(call, uploadAndEmbed, { document: null }, async () => {
      const upload = await this.receive(call);
      const register = () => this.register(call, upload, call.scope, true);
      if (prefersNow(call)) {
        const { documentId, docpath } = await register();
        return accept(call, {
          success: true,
          error: null,
          document: { id: documentId, location: docpath ?? "" },
        });
      }
      const outcome = await this.wait.forNew(register, call.scope, call.signal);
      return this.embedded(call, outcome, call.scope);
    });
  }

  @Route(uploadLink)
  uploadLink(call: Call<typeof uploadLink>): Promise<unknown> {
    const { link, embed } = call.input;
    // Members add to workspaces; the library is for managers.
    if (!embed && call.scope.principal.role === "default")
      throw new CarrelError("access.forbidden");
    return this.answer(call, uploadLink, embed ? { document: null } : {}, async () => {
      const scope = embed ? call.scope : inLibrary(call.scope);
      const fetch = () => this.requests.request(fetchLink, { link, embed }, { scope });
      const outcome = await this.wait.forNew(fetch, scope, call.signal);
      if (embed) return this.embedded(call, outcome, scope);
      if (outcome.state === "failed") throw unreadable(outcome.reason);
      return { success: true, error: null };
    });
  }

  /**
   * Removes immediately, adds and waits until the added documents are searchable; the message
   * counts failures.
   */
  @Route(updateEmbeddings)
  async updateEmbeddings({
    input,
    scope,
    signal,
  }: Pick<Call<typeof updateEmbeddings>, "input" | "scope" | "signal">): Promise<
    Out<typeof updateEmbeddings>
  > {
    const added: string[] = [];
    const failures: ReasonWire[] = [];
    for (const part of splitChanges(input)) {
      const changed = await this.requests.request(changeWorkspaceDocuments, part, { scope });
      added.push(...changed.added.map((document) => document.documentId));
      failures.push(...changed.errors);
    }
    for (const outcome of await this.wait.forEnd(added, scope, signal))
      if (outcome.state === "failed")
        failures.push(outcome.reason ?? { code: "document.could-not-be-added" });
    const reasons = new Map(failures.map((reason) => [renderReason(reason), toFault(reason)]));
    const fault: KnownFault | null =
      failures.length === 0
        ? null
        : {
            code: "document.some-not-added",
            params: { count: failures.length, reasons: [...reasons.values()] },
          };
    return { workspace: await this.view.build(scope), fault };
  }

  private receive({ request }: Pick<Call, "request">): Promise<Upload> {
    return receiveUpload(request, this.blobs, this.config.CARREL_MAX_UPLOAD);
  }

  private register(
    { request }: Pick<Call, "request">,
    { key, sha256, bytes, filename, mime, folder, metadata }: Upload,
    scope: Scope,
    embed: boolean,
  ): Promise<Out<typeof registerDocument>> {
    const document = { blobKey: key, sha256, bytes, filename, mime, folder, embed, metadata };
    const refuseIdentical = request.headers[identicalHeader.toLowerCase()] === "refuse";
    return this.requests.request(
      registerDocument,
      { ...document, refuseIdentical, isUpload: true },
      { scope, idempotencyKey: requestKey(request, document) },
    );
  }

  /**
   * A text that was parsed but couldn't be added is a refusal with status 200 on this wire; one
   * that couldn't be parsed is an error in the file. If the text index can't be reached, the status
   * is 202: it is added later.
   */
  private async embedded(
    { reply }: Pick<Call, "reply">,
    outcome: DocumentOutcome,
    scope: Scope,
  ): Promise<Out<typeof uploadAndEmbed> | FastifyReply> {
    const { documentId, docpath, state, reason } = outcome;
    const added = {
      success: true,
      error: null,
      document: { id: documentId, location: docpath ?? "" },
    };
    const wait = findWait(outcome);
    if (wait) {
      setFault(reply, wait);
      return sendAccepted(reply, added);
    }
    if (state !== "failed") return added;
    const { documents } = await this.requests.request(
      getDocumentStates,
      { documentIds: [documentId] },
      { scope: inLibrary(scope) },
    );
    if (documents[0]?.state === "failed") throw unreadable(outcome.reason);
    throw new CarrelError("document.not-added", {
      reason: reason ?? { code: "document.could-not-be-added" },
    });
  }

  /**
   * These routes report errors in a specific body (wire-contract 3.3); the status is the error's,
   * never a 500 for bad input.
   */
  private async answer(
    call: Pick<Call, "reply">,
    operation: Operation,
    extra: object,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      const failure = mapError(error, operation);
      const message =
        failure.kind === "json" ? (failure.body as { error?: unknown }).error : failure.body;
      void call.reply.code(failure.status);
      setFault(call.reply, failure.fault);
      if (failure.retryAfter !== undefined)
        void call.reply.header("retry-after", failure.retryAfter);
      return call.reply
        .type("application/json; charset=utf-8")
        .send(
          JSON.stringify({ success: false, error: message ?? "Invalid file upload.", ...extra }),
        );
    }
  }
}

/**
 * Existing clients wait until the document is parsed, as their wire requires; clients that prefer
 * not to (RFC 7240) follow it through frames and lists.
 */
const prefersNow = ({ request }: Pick<Call, "request">): boolean =>
  String(request.headers.prefer ?? "")
    .split(",")
    .some((preference) => preference.trim().toLowerCase() === "respond-async");

const accept = ({ reply }: Pick<Call, "reply">, body: object): FastifyReply =>
  sendAccepted(reply.header("preference-applied", "respond-async"), body);

const sendAccepted = (reply: FastifyReply, body: object): FastifyReply =>
  reply.code(202).type("application/json; charset=utf-8").send(JSON.stringify(body));

function* splitChanges({
  adds,
  deletes,
}: Pick<In<typeof updateEmbeddings>, "adds" | "deletes">): Generator<{
  adds: string[];
  deletes: string[];
}> {
  for (const part of splitPaths(deletes, pathsAtOnce)) yield { adds: [], deletes: part };
  for (const part of splitPaths(adds, pathsAtOnce)) yield { adds: part, deletes: [] };
}

import { Readable } from "node:stream";
import {
  CarrelError,
  findLocalFiles,
  listLibraryFolder,
  listLocalFiles,
  moveFiles,
  moveLibraryFiles,
  openLibraryTree,
  removeDocuments,
  renderFault,
  type FileItem,
  type KnownFault,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Pipes, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { setFault } from "../http/fault-header.ts";
import { Route, type Call } from "../http/route.ts";
import { splitPaths } from "./path-parts.ts";

const json = "application/json; charset=utf-8";
/** Number of documents that fit into a 1 MB reply, whatever their metadata. */
const filesAtOnce = 90;
/** wire-contract 2.4: maximum documents per page of a folder; larger requests are clamped. */
const folderPage = 1_000;

type FolderPage = Extract<Out<typeof listLocalFiles>, { folder: string }>;

@Injectable()
export class LibraryRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pipes: Pipes,
  ) {}

  /**
   * Streams the whole tree or folder while reading it, so memory use doesn't grow with the size of
   * the library.
   */
  @Route(listLocalFiles)
  async list({
    input,
    scope,
    reply,
  }: Pick<Call<typeof listLocalFiles>, "input" | "scope" | "reply">): Promise<unknown> {
    if (input.folder === undefined)
      return reply
        .type(json)
        .send(
          await beginning(
            this.pipes.read((await this.requests.request(openLibraryTree, {}, { scope })).pipe),
          ),
        );
    const { folder, offset, limit } = input;
    return this.writeFolderPage({ folder, offset, limit }, { scope, reply }, (page) => page);
  }

  /** Writes one folder; `shape` builds the reply, with the wire's fields in their order. */
  async writeFolderPage(
    { folder, offset, limit: asked }: { folder: string; offset: number; limit: number | "all" },
    { scope, reply }: Pick<Call, "scope" | "reply">,
    shape: (page: FolderPage) => object,
  ): Promise<unknown> {
    const limit = asked === "all" ? asked : Math.min(asked, folderPage);
    const first = await this.requests.request(
      listLibraryFolder,
      { folder, offset, limit: limit === "all" ? folderPage : limit },
      { scope },
    );
    if (!first.exists) {
      const fault: KnownFault = { code: "folder.not-found" };
      setFault(reply, fault);
      return reply
        .code(404)
        .type(json)
        .send(
          JSON.stringify(
            shape({
              folder,
              documents: [],
              totalCount: 0,
              hasMore: false,
              code: 404,
              error: renderFault(fault),
            }),
          ),
        );
    }
    const end = limit === "all" ? first.total : Math.min(first.total, offset + limit);
    const page = shape({
      folder,
      documents: [],
      totalCount: first.total,
      hasMore: end < first.total,
      code: 200,
      error: null,
    });
    return reply
      .type(json)
      .send(
        await beginning(
          writeFolder(page, this.readFolder(scope, folder, offset, first.files, end)),
        ),
      );
  }

  @Route(findLocalFiles)
  async find({ input, scope }: Call<typeof findLocalFiles>): Promise<Out<typeof findLocalFiles>> {
    const documents: Out<typeof findLocalFiles>["documents"] = [];
    for (const docpaths of splitPaths(input.docpaths, filesAtOnce))
      documents.push(
        ...(await this.requests.request(findLocalFiles, { docpaths }, { scope })).documents,
      );
    return { documents };
  }

  @Route(removeDocuments)
  async remove({
    input,
    scope,
  }: Pick<Call<typeof removeDocuments>, "input" | "scope">): Promise<void> {
    for (const names of splitPaths(input.names, 2_000))
      await this.requests.request(removeDocuments, { names }, { scope });
  }

  /** Uses the messages of wire-contract 6.1; moves everything it can, even if the rest fails. */
  @Route(moveFiles)
  async move({
    input,
    scope,
    request,
  }: Pick<Call<typeof moveFiles>, "input" | "scope" | "request">): Promise<Out<typeof moveFiles>> {
    let [held, failed] = [0, 0];
    let n = 0;
    for (const files of splitPaths(input.files, 5_000)) {
      const outcome = await this.requests.request(
        moveLibraryFiles,
        { files },
        { scope, idempotencyKey: `${request.id}/${n++}` },
      );
      held += outcome.held;
      failed += outcome.failed;
    }
    if (failed > 0) throw new CarrelError("document.some-not-moved");
    return {
      success: true,
      fault:
        held === 0
          ? null
          : { code: "document.some-held", params: { held, total: input.files.length } },
    };
  }

  /** Yields the first page, then the following ones up to position `end`. */
  private async *readFolder(
    scope: Scope,
    folder: string,
    offset: number,
    known: FileItem[],
    end: number,
  ): AsyncGenerator<FileItem[]> {
    yield known;
    for (let at = offset + known.length; at < end;) {
      const { files } = await this.requests.request(
        listLibraryFolder,
        { folder, offset: at, limit: Math.min(folderPage, end - at) },
        { scope },
      );
      // Documents were removed in the meantime.
      if (files.length === 0) return;
      yield files;
      at += files.length;
    }
  }
}

/**
 * Waits for the first part before returning the stream, so that earlier failures get a regular
 * error response. If the client disconnects, `texts` ends.
 */
async function beginning(texts: AsyncGenerator<string>): Promise<Readable> {
  const first = await texts.next();
  const stream = Readable.from(
    (async function* () {
      if (!first.done) yield first.value;
      yield* texts;
    })(),
    { objectMode: false },
  );
  return stream.once("close", () => void texts.return(undefined));
}

/**
 * Writes a folder of wire-contract 2.4 as JSON while its files arrive: `page` with its empty
 * `documents` filled in.
 */
export async function* writeFolder(
  page: object,
  parts: AsyncIterable<FileItem[]>,
): AsyncGenerator<string> {
  const [before, after] = JSON.stringify({ ...page, documents: "\u0000" }).split('"\\u0000"') as [
    string,
    string,
  ];
  yield `${before}[`;
  let isFirst = true;
  for await (const files of parts) {
    let text = "";
    for (const file of files) {
      text += (isFirst ? "" : ",") + JSON.stringify(file);
      isFirst = false;
    }
    yield text;
  }
  yield `]${after}`;
}

import {
  CarrelError,
  findLocalFiles,
  listLibraryFolder,
  listLocalFiles,
  moveFiles,
  moveLibraryFiles,
  openLibraryTree,
  removeDocuments,
  type FileItem,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Pipes, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Readable } from "node:stream";
import { Route, type Call } from "../http/route.ts";
import { splitPaths } from "./path-parts.ts";
import { writeFolder } from "./write-folder.ts";
const json = "application/json; charset=utf-8";
/** Documents in a reply of 1 MB, whatever their metadata. */
const filesAtOnce = 90;
/** wire-contract 2.4: most documents of a page of a folder; whoever asks for more gets these. */
const folderPage = 1_000;

type FolderPage = Extract<Out<typeof listLocalFiles>, { folder: string }>;

@Injectable()
export class LibraryRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pipes: Pipes,
  ) {}

  /**
   * The whole tree, or a whole folder, is passed on while it is read: a library of any size takes
   * the memory of a few parts.
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

  /** One folder; `shape` makes the reply of what is known of it, in the fields and their order. */
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
    if (!first.exists)
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
              error: "Folder does not exist.",
            }),
          ),
        );
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

  /**
   * In the words of wire-contract 6.1; what could be moved is moved, whatever became of the rest.
   */
  @Route(moveFiles)
  async move({
    input,
    scope,
    request,
  }: Pick<Call<typeof moveFiles>, "input" | "scope" | "request">): Promise<Out<typeof moveFiles>> {
    let [held, failed] = [0, 0];
    for (const [n, files] of splitPaths(input.files, 5_000).entries()) {
      const outcome = await this.requests.request(
        moveLibraryFiles,
        { files },
        { scope, idempotencyKey: `${request.id}/${n}` },
      );
      held += outcome.held;
      failed += outcome.failed;
    }
    if (failed > 0) throw new CarrelError("BAD_INPUT", "Failed to move some files.");
    return {
      success: true,
      message:
        held === 0
          ? null
          : `${held}/${input.files.length} files not moved. Unembed them from all workspaces.`,
    };
  }

  /** What is known already, then what follows up to place `end`. */
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
      // Some were taken out meanwhile.
      if (files.length === 0) return;
      yield files;
      at += files.length;
    }
  }
}

/**
 * A stream whose first part is there already: what fails before it is answered as any other
 * failure. A client that goes away ends `texts`.
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

import { listLibrary, type Args, type Operation, type Out } from "@carrel/contracts";
import { libraryScope, workspaceScope, type TestIngest } from "./test-ingest.ts";

type Filter = Args<typeof listLibrary>["filter"];
type PageOptions = Omit<Args<typeof listLibrary>, "filter">;

/** Requests to the library of a test instance. */
export class LibraryClient {
  constructor(readonly ingest: TestIngest) {}

  request<Op extends Operation>(operation: Op, input: Args<Op>): Promise<Out<Op>> {
    return this.ingest.client.request(operation, input, { scope: libraryScope });
  }

  requestIn<Op extends Operation>(
    workspaceId: number,
    operation: Op,
    input: Args<Op>,
  ): Promise<Out<Op>> {
    return this.ingest.client.request(operation, input, { scope: workspaceScope(workspaceId) });
  }

  page(filter: Filter, options: PageOptions = {}): Promise<Out<typeof listLibrary>> {
    return this.request(listLibrary, { filter, ...options });
  }

  async titles(filter: Filter, options: PageOptions = {}): Promise<string[]> {
    return (await this.page(filter, options)).documents.map((document) => document.title);
  }

  /** Uploads a document to the library and waits until it is parsed. */
  async add(
    filename: string,
    content: string,
    more: Parameters<TestIngest["upload"]>[3] = {},
  ): Promise<string> {
    const id = await this.ingest.upload(null, filename, content, more);
    await this.ingest.until(null, id, "parsed", "failed");
    return id;
  }

  async docpathOf(id: string): Promise<string> {
    const [row] = await this.ingest.sql<{ docpath: string }>(
      "SELECT docpath FROM ingest.document WHERE id = $1",
      [id],
    );
    return row!.docpath;
  }
}

import {
  CarrelError,
  countDeveloperVectors,
  countVectors,
  createDeveloperFolder,
  createFolder,
  findByFileName,
  getDeveloperDocument,
  getGeneratedFile,
  listAcceptedTypes,
  listDeveloperDocuments,
  listDeveloperFolder,
  listDeveloperTypes,
  moveDeveloperFiles,
  removeDeveloperDocuments,
  removeDeveloperFolder,
  removeFolder,
  updateDeveloperEmbeddings,
  updateDeveloperPin,
  updatePin,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentRoutes } from "../document/document.routes.ts";
import { LibraryRoutes } from "../document/library.routes.ts";
import { Route, type Call } from "../http/route.ts";

/**
 * Folders and documents in the developer API (wire-contract 9.3), and documents of workspaces there
 * (9.4).
 */
@Injectable()
export class DeveloperFolderRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly library: LibraryRoutes,
    private readonly documents: DocumentRoutes,
  ) {}

  @Route(listDeveloperDocuments)
  list(call: Call<typeof listDeveloperDocuments>): Promise<unknown> {
    return this.library.list(call);
  }

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

  @Route(listDeveloperTypes)
  types({ scope }: Call<typeof listDeveloperTypes>): Promise<Out<typeof listDeveloperTypes>> {
    return this.requests.request(listAcceptedTypes, {}, { scope });
  }

  @Route(getDeveloperDocument)
  async document({
    input,
    scope,
  }: Call<typeof getDeveloperDocument>): Promise<Out<typeof getDeveloperDocument>> {
    const { document } = await this.requests.request(
      findByFileName,
      { name: input.docName },
      { scope },
    );
    if (document === null) throw new CarrelError("DOCUMENT_NOT_FOUND", "Not Found");
    return { document };
  }

  @Route(createDeveloperFolder)
  createFolder({
    input,
    scope,
    request,
  }: Call<typeof createDeveloperFolder>): Promise<Out<typeof createFolder>> {
    return this.requests.request(createFolder, input, { scope, idempotencyKey: request.id });
  }

  @Route(removeDeveloperFolder)
  async removeFolder({
    input,
    scope,
    request,
  }: Call<typeof removeDeveloperFolder>): Promise<Out<typeof removeDeveloperFolder>> {
    await this.requests.request(removeFolder, input, { scope, idempotencyKey: request.id });
    return { success: true, message: "Folder removed successfully" };
  }

  @Route(moveDeveloperFiles)
  moveFiles(call: Call<typeof moveDeveloperFiles>): Promise<Out<typeof moveDeveloperFiles>> {
    return this.library.move(call);
  }

  @Route(removeDeveloperDocuments)
  async removeDocuments(
    call: Call<typeof removeDeveloperDocuments>,
  ): Promise<Out<typeof removeDeveloperDocuments>> {
    await this.library.remove(call);
    return { success: true, message: "Documents removed successfully" };
  }

  @Route(countDeveloperVectors)
  countVectors({
    scope,
  }: Call<typeof countDeveloperVectors>): Promise<Out<typeof countDeveloperVectors>> {
    return this.requests.request(countVectors, {}, { scope });
  }

  /** Agents, which make files, are not there yet: no name is one of theirs. */
  @Route(getGeneratedFile)
  generatedFile(_call: Call<typeof getGeneratedFile>): Promise<never> {
    return Promise.reject(new CarrelError("NOT_FOUND", "File not found"));
  }

  /** Without the web app's message; what could not be added is not in the workspace. */
  @Route(updateDeveloperEmbeddings)
  async updateEmbeddings(
    call: Call<typeof updateDeveloperEmbeddings>,
  ): Promise<Out<typeof updateDeveloperEmbeddings>> {
    const { workspace } = await this.documents.updateEmbeddings(call);
    return { workspace: workspace as Out<typeof updateDeveloperEmbeddings>["workspace"] };
  }

  @Route(updateDeveloperPin)
  async updatePin({
    input,
    scope,
    request,
  }: Call<typeof updateDeveloperPin>): Promise<Out<typeof updateDeveloperPin>> {
    await this.requests.request(updatePin, input, { scope, idempotencyKey: request.id });
    return { message: "Pin status updated successfully" };
  }
}

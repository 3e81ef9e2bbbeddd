import { CarrelError, getGeneratedFile, listDeveloperFolder } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { LibraryRoutes } from "../document/library.routes.ts";
import { Route, type Call } from "../http/route.ts";

/** Files and folders in the shape used only by the developer API (wire-contract 9.3). */
@Injectable()
export class DeveloperFolderRoutes {
  constructor(private readonly library: LibraryRoutes) {}

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

  /** Agents will generate these files; Carrel has none yet. */
  @Route(getGeneratedFile)
  generatedFile(_call: Call<typeof getGeneratedFile>): Promise<never> {
    return Promise.reject(new CarrelError("folder.file-not-found"));
  }
}

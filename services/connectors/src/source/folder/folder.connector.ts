import path from "node:path";
import { CarrelError, clipText } from "@carrel/contracts";
import { z } from "zod";
import { defineConnector } from "../../connector/connector.ts";
import { FileRules } from "../../connector/file-rules.ts";
import { AllowedFolder } from "./allowed-folder.ts";
import { folderForm, folderSettings } from "./folder-form.ts";
import { folderItem, FolderSource } from "./folder-source.ts";

const maxChoices = 500;

/** Files of the server itself, in folders that its administrator allowed. */
export const connector = defineConnector({
  id: "folder",
  form: folderForm,
  needsFolders: true,
  settings: folderSettings,
  credential: z.object({}),
  item: folderItem,
  nameOf: ({ path: place }) => clipText(path.basename(place ?? "") || "Folder", 200),
  originOf: () => "file:///",
  choices: (field, _settings, _credential, { folders = [] }) =>
    field === "path" ? listChoices(folders) : Promise.resolve([]),
  async open(settings, _credential, { folders = [], signal }) {
    if (settings.path === undefined)
      throw new CarrelError("source.setting-invalid", { field: "path" });
    return new FolderSource(await AllowedFolder.find(settings.path, folders), settings, signal);
  },
  async watch(settings, folders, { onChange, onEnd }) {
    const { root } = await AllowedFolder.find(settings.path ?? "", folders);
    const rules = new FileRules(settings);
    // Loaded only where folders are allowed.
    const { subscribe } = await import("@parcel/watcher");
    const subscription = await subscribe(root, (error, events) => {
      // Of changes that were too many to be told one by one.
      if (error !== null) onChange();
      else if (events.some((event) => event.path === root && event.type === "delete")) onEnd();
      else if (events.some((event) => !rules.leavesOut(path.relative(root, event.path))))
        onChange();
    });
    return () => subscription.unsubscribe();
  },
});

/** The allowed folders that exist, and the folders in them. */
async function listChoices(allowed: readonly string[]): Promise<string[]> {
  const choices: string[] = [];
  for (const each of allowed) {
    const found = await AllowedFolder.find(each, allowed)
      .then((folder) => folder.read(""))
      .catch(() => null);
    if (found === null) continue;
    const inner = found.entries.filter(({ kind, name }) => kind === "folder" && name[0] !== ".");
    choices.push(each, ...inner.map(({ name }) => path.join(each, name)));
  }
  return [...new Set(choices)].slice(0, maxChoices);
}

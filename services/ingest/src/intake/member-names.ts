import { clipText } from "@carrel/contracts";
import path from "node:path/posix";
import { buildSlug, defaultFolder } from "../document/docpath.ts";
import type { Document } from "../document/document.entity.ts";
import { cleanFolderPath } from "../document/folder-path.ts";
import type { SheetName } from "./sheet-documents.ts";

/**
 * Unique names for the files of an archive, in its folders: below the folder that the uploader chose,
 * or below one named after the archive.
 */
export function nameMembers(
  document: Pick<Document, "id" | "folder" | "filename">,
  paths: string[],
): SheetName[] {
  const mark = document.id.slice(0, 8);
  const archive = clipText(buildSlug(document.filename.replace(/\.zip$/i, "")), 80);
  const base = document.folder === defaultFolder ? `${archive}-${mark}` : document.folder;
  const taken = new Set<string>();
  return paths.map((member) => {
    const folder = cleanFolderPath(`${base}/${path.dirname(member)}`) ?? base;
    const file = path.basename(member);
    const slug = `${folder}/${buildSlug(file)}-${mark}`;
    let name = slug;
    for (let n = 2; taken.has(name); n++) name = `${slug}-${n}`;
    taken.add(name);
    return { folder, docpath: `${name}.json`, title: clipText(file, 1000) };
  });
}

import type { AccessRow } from "./access-row.ts";
import { described, file, folder } from "./developer-document-answers.ts";
import { fileForm } from "./fixture-answers.ts";

const uploaded = {
  success: true,
  error: null,
  documents: [
    {
      ...described,
      pageContent: 'Some "text" \ud83d\ude00.',
      token_count_estimate: 3,
      location: "custom-documents/a.json",
      isDirectUpload: false,
    },
  ],
};

const refused = (error: string) => ({ success: false, error, documents: [] });

const by = (
  operation: string,
  call: [string, string, unknown?],
  body: unknown,
  status = 200,
  kind: AccessRow["kind"] = "json",
): AccessRow => ({
  operation: `gateway.${operation}`,
  bearer: "key",
  call: () => call,
  status,
  kind,
  body,
});

/** A repeated field, as PHP and multer encode lists. */
const twice = (): FormData => {
  const form = fileForm("a.txt", "Some text.", { addToWorkspaces: "w" });
  form.append("addToWorkspaces", "another-one");
  return form;
};

/** wire-contract 9.3, and documents of workspaces in 9.4. */
export const developerDocumentRows: AccessRow[] = [
  by(
    "developer-document.upload",
    [
      "POST",
      "/v1/document/upload",
      fileForm("a.txt", "Some text.", { addToWorkspaces: "w, nobody,", metadata: '{"title":"A"}' }),
    ],
    uploaded,
  ),
  by(
    "developer-document.upload",
    ["POST", "/v1/document/upload", { no: "form" }],
    refused("Invalid file upload. The body must be multipart/form-data with a field named file."),
    400,
  ),
  by(
    "developer-document.upload",
    ["POST", "/v1/document/upload", twice()],
    refused("addToWorkspaces must be a string of slugs separated by commas."),
    422,
  ),
  by(
    "developer-document.upload-to-folder",
    ["POST", "/v1/document/upload/Contracts", fileForm()],
    uploaded,
  ),
  by(
    "developer-document.upload-link",
    [
      "POST",
      "/v1/document/upload-link",
      {
        link: "https://example.org/",
        addToWorkspaces: "w",
        scraperHeaders: { authorization: "Bearer x" },
        metadata: { title: "A page", keep: 1 },
      },
    ],
    uploaded,
  ),
  by(
    "developer-document.raw-text",
    [
      "POST",
      "/v1/document/raw-text",
      {
        textContent: "Some text.",
        metadata: { title: "My notes", published: 1700000000000 },
        addToWorkspaces: null,
      },
    ],
    uploaded,
  ),
  by(
    "developer-document.upload-link",
    ["POST", "/v1/document/upload-link", { link: 5 }],
    refused("The field link must be text."),
    400,
  ),
  by(
    "developer-document.raw-text",
    ["POST", "/v1/document/raw-text", { textContent: ["x"], metadata: { title: "x" } }],
    refused("The field textContent must be text."),
    400,
  ),
  ...(
    [
      ["upload-link", { link: "https://a.example/", addToWorkspaces: ["w"] }],
      ["raw-text", { textContent: "x", metadata: { title: "x" }, addToWorkspaces: ["w"] }],
    ] as const
  ).map(([name, body]) =>
    by(
      `developer-document.${name}`,
      ["POST", `/v1/document/${name}`, body],
      refused("addToWorkspaces must be a string of slugs separated by commas."),
      422,
    ),
  ),
  by(
    "developer-document.raw-text",
    ["POST", "/v1/document/raw-text", { textContent: "Some text." }],
    refused(
      `You are missing required metadata key:value pairs in your request. Required metadata key:values are 'title'`,
    ),
    422,
  ),
  by(
    "developer-document.raw-text",
    ["POST", "/v1/document/raw-text", { textContent: "", metadata: { title: "x" } }],
    refused(`The 'textContent' key cannot have an empty value.`),
    422,
  ),
  by("developer-document.list", ["GET", "/v1/documents"], {
    localFiles: {
      name: "documents",
      type: "folder",
      items: [{ name: "custom-documents", type: "folder", items: [file] }],
    },
  }),
  by("developer-document.list", ["GET", "/v1/documents?folder=custom-documents&limit=10"], {
    ...folder,
    code: 200,
    error: null,
  }),
  by("developer-document.folder", ["GET", "/v1/documents/folder/custom-documents"], {
    ...folder,
    error: null,
  }),
  by(
    "developer-document.folder",
    ["GET", "/v1/documents/folder/nobody?offset=0&limit=5"],
    {
      folder: "nobody",
      documents: [],
      totalCount: 0,
      hasMore: false,
      error: "Folder does not exist.",
    },
    404,
  ),
  by("developer-document.folder", ["GET", "/v1/documents/folder/custom-documents?limit=5000"], {
    ...folder,
    error: null,
  }),
  by(
    "developer-document.folder",
    ["GET", "/v1/documents/folder/custom-documents?limit=-1"],
    {
      folder: "",
      documents: [],
      totalCount: 0,
      hasMore: false,
      error: "The field limit is too small: at least 1.",
    },
    400,
  ),
  by(
    "developer-document.list",
    ["GET", "/v1/documents?folder=custom-documents&offset=NaN"],
    {
      folder: "",
      documents: [],
      totalCount: 0,
      hasMore: false,
      code: 400,
      error: "The field offset must be a number.",
    },
    400,
  ),
  by("developer-document.types", ["GET", "/v1/document/accepted-file-types"], {
    types: { "text/plain": [".txt", ".md"] },
  }),
  by("developer-document.metadata-schema", ["GET", "/v1/document/metadata-schema"], {
    schema: { title: "string", published: "epoch timestamp in ms | nullable" },
  }),
  by("developer-document.get", ["GET", "/v1/document/a.json"], { document: file }),
  by("developer-document.get", ["GET", "/v1/document/b.json"], "Not Found", 404, "text"),
  by(
    "developer-document.create-folder",
    ["POST", "/v1/document/create-folder", { name: "Contracts" }],
    { success: true, message: null },
  ),
  by(
    "developer-document.create-folder",
    ["POST", "/v1/document/create-folder", { name: "taken" }],
    { success: false, message: "Folder by that name already exists" },
    409,
  ),
  by(
    "developer-document.remove-folder",
    ["DELETE", "/v1/document/remove-folder", { name: "Contracts" }],
    { success: true, message: "Folder removed successfully" },
  ),
  by(
    "developer-document.remove-folder",
    ["DELETE", "/v1/document/remove-folder", {}],
    { success: false, message: "The name is missing." },
    400,
  ),
  by(
    "developer-document.move-files",
    ["POST", "/v1/document/move-files", { files: [{ from: "a/b.json", to: "c/b.json" }] }],
    { success: false, message: "Failed to move some files." },
    400,
  ),
  by("developer-document.move-files", ["POST", "/v1/document/move-files", { files: [] }], {
    success: true,
    message: null,
  }),
  by(
    "developer-document.generated-file",
    ["GET", "/v1/document/generated-files/report.pdf"],
    { error: "File not found." },
    404,
  ),
  by("developer-system.vector-count", ["GET", "/v1/system/vector-count"], { vectorCount: 17 }),
  by(
    "developer-system.remove-documents",
    ["DELETE", "/v1/system/remove-documents", { names: ["custom-documents/a.json"] }],
    { success: true, message: "Documents removed successfully" },
  ),
  by(
    "developer-system.remove-documents",
    ["DELETE", "/v1/system/remove-documents", {}],
    { success: false, message: "The field names is missing." },
    400,
  ),
  by(
    "developer-workspace.update-embeddings",
    [
      "POST",
      "/v1/workspace/w/update-embeddings",
      { adds: ["custom-documents/a.json"], deletes: [] },
    ],
    { workspace: { slug: "w", documents: [] } },
  ),
  by(
    "developer-workspace.update-embeddings",
    ["POST", "/v1/workspace/nothing/update-embeddings", { adds: [] }],
    "Bad Request",
    400,
    "text",
  ),
  by(
    "developer-workspace.update-pin",
    ["POST", "/v1/workspace/w/update-pin", { docPath: "custom-documents/a.json", pinStatus: true }],
    { message: "Pin status updated successfully" },
  ),
  by(
    "developer-workspace.update-pin",
    ["POST", "/v1/workspace/w/update-pin", { docPath: "custom-documents/b.json", pinStatus: true }],
    "Not Found",
    404,
    "text",
  ),
];

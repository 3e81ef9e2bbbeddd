import { z } from "zod";
import { refusedExtension } from "../auth/key.ts";
import { rowId } from "../coercion.ts";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import { rawText, rawTextLimit } from "./developer-document.ts";

/*
 * Pages and selections saved by a browser extension (wire-contract 10). As in the app, only
 * managers add documents.
 */

const refusedText = {
  ...refusedExtension,
  BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
  DOCUMENT_UNREADABLE: { status: 422, kind: "json", body: { success: false, error: "$message" } },
} satisfies ErrorReplies;

const saved = z.object({ success: z.boolean() });

export const saveExtensionText = defineOperation({
  name: "gateway.extension.upload-content",
  service: "gateway",
  access: { who: "extension" },
  errors: refusedText,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/browser-extension/upload-content",
      summary: "Save the text of a page in the library",
      bodyLimit: rawTextLimit,
    },
  ],
  input: rawText,
  output: saved,
});

export const embedExtensionText = defineOperation({
  name: "gateway.extension.embed-content",
  service: "gateway",
  access: { who: "extension" },
  errors: {
    ...refusedText,
    WORKSPACE_NOT_FOUND: { status: 404, kind: "json", body: { error: "Workspace not found" } },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/browser-extension/embed-content",
      summary: "Save the text of a page and add it to a workspace",
      bodyLimit: rawTextLimit,
    },
  ],
  input: rawText.extend({ workspaceId: rowId }),
  output: saved,
});

export const extensionContracts: Contracts = {
  operations: [saveExtensionText, embedExtensionText],
};

import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

export const getWorkspacePicture = defineOperation({
  name: "gateway.workspace.picture",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/pfp",
      summary: "Get a workspace's picture (WebP); 204 if there is none",
    },
  ],
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

const picture = {
  BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
  UNSUPPORTED: { status: 415, kind: "json", body: { message: "$message" } },
  TOO_LARGE: { status: 413, kind: "json", body: { message: "$message" } },
} as const;

export const uploadWorkspacePicture = defineOperation({
  name: "gateway.workspace.upload-picture",
  service: "gateway",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: { ...inWorkspace, ...picture },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/upload-pfp",
      summary: "Set a workspace's picture (multipart field file)",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ message: z.string() }),
});

export const removeWorkspacePicture = defineOperation({
  name: "gateway.workspace.remove-picture",
  service: "gateway",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/remove-pfp",
      summary: "Remove a workspace's picture",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ message: z.string() }),
});

/**
 * Internal: the blob key of a workspace's picture. Setting it returns the key that is no longer
 * used.
 */
export const findWorkspacePicture = defineOperation({
  name: "workspace.picture.find",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({ key: z.string().nullable() }),
});

export const setWorkspacePicture = defineOperation({
  name: "workspace.picture.set",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ key: z.string().nullable() }),
  output: z.object({ previous: z.string().nullable() }),
});

export const workspacePictureContracts: Contracts = {
  operations: [
    getWorkspacePicture,
    uploadWorkspacePicture,
    removeWorkspacePicture,
    findWorkspacePicture,
    setWorkspacePicture,
  ],
};

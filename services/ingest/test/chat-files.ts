import type { Principal, WorkspaceScope } from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { workspaceScope, type TestIngest } from "./test-ingest.ts";

const person = (userId: number, role: Principal["role"] = "default"): Principal => ({
  kind: "user",
  userId,
  role,
});
export const as = (
  userId: number,
  workspaceId = 1,
  role: Principal["role"] = "default",
): WorkspaceScope => ({ ...workspaceScope(workspaceId), principal: person(userId, role) });
export const parsed = (
  ingest: TestIngest,
  scope: WorkspaceScope,
  threadId: number,
  count: number,
) =>
  waitFor(
    async () => {
      const files = await ingest.files(scope, threadId);
      return files.length === count && files.every((file) => file.state !== "queued")
        ? files
        : null;
    },
    { timeoutMs: 60_000, what: `${count} files to be read` },
  );

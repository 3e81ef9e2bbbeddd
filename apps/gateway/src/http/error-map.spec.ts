import { describe, expect, it } from "@jest/globals";
import {
  CarrelError,
  deleteWorkspace,
  errorCodes,
  getWorkspace,
  listThreads,
  requestToken,
} from "@carrel/contracts";
import { mapError } from "./error-map.ts";

describe("mapError", () => {
  it("maps every code, and only INTERNAL to 500", () => {
    for (const code of errorCodes) {
      const { status, body } = mapError(new CarrelError(code, "Words for the person."));
      expect(status === 500).toBe(code === "INTERNAL");
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(body)).toContain(
        code === "FORBIDDEN" ? "Unauthorized" : "Words for the person.",
      );
    }
  });

  it("reports an unknown workspace as each route of the wire requires", () => {
    const unknown = new CarrelError("WORKSPACE_NOT_FOUND", "Workspace does not exist.");
    expect(mapError(unknown, listThreads)).toEqual({
      status: 404,
      kind: "text",
      body: "Workspace does not exist.",
    });
    expect(mapError(unknown, deleteWorkspace)).toEqual({
      status: 400,
      kind: "text",
      body: "Bad Request",
    });
    expect(mapError(unknown, getWorkspace)).toEqual({
      status: 200,
      kind: "json",
      body: { workspace: null },
    });
  });

  it("says how long to wait when busy, and fills in the message where a contract asks for it", () => {
    expect(
      mapError(new CarrelError("BUSY", "Wait.", { details: { retryAfter: 42 } }), requestToken),
    ).toEqual({
      status: 429,
      kind: "json",
      body: { valid: false, user: null, token: null, message: "Wait." },
      retryAfter: 42,
    });
    expect(mapError(new CarrelError("BUSY", "Wait."))).toMatchObject({
      status: 503,
      retryAfter: 1,
    });
  });

  it("reveals nothing about an unexpected error", () => {
    const { status, body } = mapError(new Error("connect ECONNREFUSED /run/secret.sock"));
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(mapError(null)).toMatchObject({ status: 500 });
  });
});

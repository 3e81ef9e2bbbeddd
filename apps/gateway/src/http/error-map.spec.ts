import {
  CarrelError,
  deleteWorkspace,
  errorCatalogue,
  errorCodes,
  getWorkspace,
  listThreads,
  requestToken,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { mapError } from "./error-map.ts";

describe("mapError", () => {
  it("maps every code, and only INTERNAL to 500", () => {
    for (const code of errorCodes) {
      const { kind, message } = errorCatalogue[code];
      const params = Object.fromEntries(
        [...message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => [name!, `<${name!}>`]),
      );
      const { status, body, fault } = mapError(CarrelError.fromFault({ code, params }));
      expect(status === 500).toBe(kind === "INTERNAL");
      expect(status).toBeGreaterThanOrEqual(400);
      expect(fault).toEqual({ code, params });
      const text = JSON.stringify(body);
      for (const filled of kind === "FORBIDDEN" ? [] : Object.values(params))
        expect(text).toContain(filled);
      expect(text).not.toMatch(/undefined|\{\{|:""/);
    }
  });

  it("reports an unknown workspace as each route of the wire requires", () => {
    const unknown = new CarrelError("workspace.not-found");
    const fault = { code: "workspace.not-found", params: {} };
    expect(mapError(unknown, listThreads)).toEqual({
      status: 404,
      kind: "text",
      body: "Workspace does not exist.",
      fault,
    });
    expect(mapError(unknown, deleteWorkspace)).toEqual({
      status: 400,
      kind: "text",
      body: "Bad Request",
      fault,
    });
    expect(mapError(unknown, getWorkspace)).toEqual({
      status: 200,
      kind: "json",
      body: { workspace: null },
      fault,
    });
  });

  it("says how long to wait when busy, and fills in the message where a contract asks for it", () => {
    const busy = "Too many requests are waiting. Try again in a moment.";
    expect(
      mapError(new CarrelError("request.queue-full", {}, { retryAfter: 42 }), requestToken),
    ).toEqual({
      status: 429,
      kind: "json",
      body: { valid: false, user: null, token: null, message: busy },
      fault: { code: "request.queue-full", params: {} },
      retryAfter: 42,
    });
    const outOfMemory = Object.assign(
      new Error("OOM command not allowed when used memory > 'maxmemory'."),
      { name: "ReplyError" },
    );
    for (const error of [new CarrelError("request.queue-full"), outOfMemory])
      expect(mapError(error)).toMatchObject({ status: 503, retryAfter: 1 });
  });

  it("says when to try again while a service or its database is away, not while a model is", () => {
    for (const code of ["request.unavailable", "request.stopping"] as const)
      expect(mapError(new CarrelError(code))).toMatchObject({ status: 503, retryAfter: 1 });
    expect(mapError(new CarrelError("document.waits-for-embedder")).retryAfter).toBeUndefined();
  });

  it("says that a disk is full, and when to try again, but not which", () => {
    const fault = Object.assign(
      new Error("ENOSPC: no space left on device, write '/srv/blobs/x'"),
      {
        code: "ENOSPC",
      },
    );
    expect(mapError(fault)).toEqual({
      status: 503,
      kind: "json",
      body: {
        error:
          "The server has run out of disk space, so this can't be saved now. Try again once its administrator has freed some.",
      },
      fault: { code: "request.storage-full", params: {} },
      retryAfter: 10,
    });
  });

  it("reveals nothing about an unexpected error", () => {
    const { status, body } = mapError(new Error("connect ECONNREFUSED /run/secret.sock"));
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("secret");
    expect(mapError(null)).toMatchObject({ status: 500 });
  });
});

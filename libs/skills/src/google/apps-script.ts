import { CarrelError } from "@carrel/contracts";
import { EgressError, type ContentClient } from "@carrel/egress";
import { z } from "zod";
import { briefly, readJson } from "../account/account-request.ts";

/** A script that a person has deployed in their own account (`libs/skills/apps-script`). */
export interface AppsScript {
  deploymentId: string;
  apiKey: string;
}

export interface AppsScriptPorts {
  content: ContentClient;
  /** Instead of Google's, for tests. */
  origins?: { script: string; reply: string };
}

/** The version of the protocol: that of the scripts' `VERSION`. */
const version = 1;
const origins = {
  script: "https://script.google.com",
  /** Replies are fetched from here: Apps Script redirects to it ("Content Service", Redirects). */
  reply: "https://script.googleusercontent.com",
};
/** Scripts are given six minutes by Google; people don't wait that long. */
const timeoutMs = 60_000;
const maxBytes = 10_000_000;

const reply = z.discriminatedUnion("ok", [
  z.object({ version: z.number(), ok: z.literal(true), result: z.unknown() }),
  z.object({
    version: z.number(),
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);

/** What the script's error codes mean. */
function toFault(name: string, { code, message }: { code: string; message: string }): CarrelError {
  const details = briefly(message);
  if (code === "key") return new CarrelError("account.key-refused");
  if (code === "version") return new CarrelError("account.script-outdated");
  if (code === "missing") return new CarrelError("account.item-missing", { name });
  if (code === "quota") return new CarrelError("account.busy", { name });
  if (code === "permission") return new CarrelError("account.permission-missing", { name });
  return new CarrelError("account.request-refused", { name, details });
}

interface ScriptCall<Result> {
  action: string;
  fields: object;
  result: z.ZodType<Result>;
  signal: AbortSignal;
  /** Whether it can be repeated if its outcome is unknown. */
  isRepeatable: boolean;
}

/** Calls one deployed script. Throws CarrelError. */
export class AppsScriptClient {
  constructor(
    private readonly name: string,
    private readonly settings: AppsScript,
    private readonly ports: AppsScriptPorts,
  ) {}

  async call<Result>(call: ScriptCall<Result>): Promise<Result> {
    const { name } = this;
    const { data } = reply.safeParse(readJson(await this.post(call), name));
    if (data === undefined) throw new CarrelError("account.unexpected-response", { name });
    if (!data.ok) throw toFault(name, data.error);
    if (data.version !== version) throw new CarrelError("account.script-outdated");
    const result = call.result.safeParse(data.result);
    if (!result.success) throw new CarrelError("account.unexpected-response", { name });
    return result.data;
  }

  private async post(call: ScriptCall<unknown>): Promise<string> {
    const { action, fields, signal, isRepeatable } = call;
    const { content, origins: own = origins } = this.ports;
    const { deploymentId, apiKey } = this.settings;
    if (!/^[\w-]{10,200}$/.test(deploymentId)) throw new CarrelError("account.script-missing");
    const url = `${own.script}/macros/s/${deploymentId}/exec`;
    const body = JSON.stringify({ ...fields, key: apiKey, version, action });
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal,
      timeoutMs,
      maxBytes,
      // Anything else is a page of Google's, such as the sign-in.
      mayFollow: (target: URL) => Promise.resolve(target.origin === own.reply),
    } as const;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt > 1 || !isRepeatable;
      try {
        const answer = await content.fetch(url, request);
        if (answer.status === 200 && answer.mime === "application/json")
          return answer.body.toString();
        if (answer.status < 500 || isLast)
          throw this.faultOf(answer.status, answer.url, isRepeatable);
      } catch (fault) {
        if (signal.aborted || fault instanceof CarrelError || isLast)
          throw this.toFault(fault, signal, isRepeatable);
      }
    }
  }

  private faultOf(status: number, url: string, isRepeatable: boolean): CarrelError {
    const { name } = this;
    if (status === 429) return new CarrelError("account.busy", { name });
    if (status >= 500)
      return isRepeatable
        ? new CarrelError("account.failing", { name })
        : new CarrelError("account.outcome-unknown", { name });
    // After the redirect, the script has run, but stopped with an error of its own.
    if (url.startsWith((this.ports.origins ?? origins).reply))
      return new CarrelError("account.unexpected-response", { name });
    return new CarrelError("account.script-missing");
  }

  private toFault(
    fault: unknown,
    { aborted, reason }: AbortSignal,
    isRepeatable: boolean,
  ): unknown {
    if (aborted) return reason;
    if (!(fault instanceof EgressError)) return fault;
    const { code, params = {} } = fault.fault;
    // An unknown host was never asked; after anything else the script may have run.
    if (isRepeatable || fault.reason === "refused" || code === "egress.host-unknown")
      return CarrelError.fromFault({ code, params });
    return new CarrelError("account.outcome-unknown", { name: this.name }, { cause: fault });
  }
}

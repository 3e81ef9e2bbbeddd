import { deliverHook, hookHeaders, receiveHook } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";

/** Webhooks that sources send. */
@Injectable()
export class HookRoutes {
  constructor(private readonly requests: RequestClient) {}

  @Route(receiveHook)
  async receive({ input, scope, request }: Call<typeof receiveHook>): Promise<void> {
    const headers: Record<string, string> = {};
    for (const name of hookHeaders) {
      const value = request.headers[name];
      if (typeof value === "string") headers[name] = value.slice(0, 1_000);
    }
    await this.requests.request(deliverHook, { ...input, headers }, { scope });
  }
}

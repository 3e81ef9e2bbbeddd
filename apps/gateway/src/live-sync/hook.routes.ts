import { CarrelError, deliverHook, findHookSecret, receiveHook } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { digestBody, isSigned, verifyHook } from "./hook-signature.ts";

/** Webhooks that sources send. */
@Injectable()
export class HookRoutes {
  constructor(private readonly requests: RequestClient) {}

  /** The body isn't read before it is known who might have signed it. */
  @Route(receiveHook)
  async receive({ input, scope, request }: Call<typeof receiveHook>): Promise<void> {
    const { headers, raw, routeOptions } = request;
    // It may break off, or be cut off, before it is read.
    raw.on("error", () => undefined);
    if (!isSigned(headers)) throw new CarrelError("watch.not-found");
    const { secret } = await this.requests.request(findHookSecret, input, { scope });
    const digests = await digestBody(raw, secret, routeOptions.bodyLimit!);
    const key = verifyHook(headers, digests, secret);
    if (key === null) throw new CarrelError("watch.not-found");
    await this.requests.request(deliverHook, { ...input, key }, { scope });
  }
}

import type { ProcessConfig } from "@carrel/config";
import {
  checkToken,
  ping,
  requestToken,
  requestTokenBySignInToken,
  signOut,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie } from "../access/bearer.ts";
import { CachedAccess } from "../access/workspace-scopes.ts";
import { clientAddress } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { deviceCookie, deviceSeconds, setCookie, setSessionCookies } from "./cookies.ts";

const longestUserAgent = 512;
const longestDevice = 1_024;

@Injectable()
export class SessionRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly access: CachedAccess,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(requestToken)
  async create({
    input,
    scope,
    request,
    reply,
  }: Call<typeof requestToken>): Promise<Out<typeof requestToken>> {
    const sent = readCookie(request.headers.cookie, deviceCookie.name);
    const device = sent === null || sent.length > longestDevice ? undefined : sent;
    const { device: known, ...created } = await this.requests.request(
      requestToken,
      { ...input, ...readClientInfo(request), device },
      { scope },
    );
    this.keepToken(request, reply, created.token);
    if (known !== undefined)
      setCookie(request, reply, this.config, deviceCookie, known, deviceSeconds);
    return created;
  }

  @Route(requestTokenBySignInToken)
  async createBySignInToken({
    input,
    scope,
    request,
    reply,
  }: Call<typeof requestTokenBySignInToken>): Promise<Out<typeof requestTokenBySignInToken>> {
    const created = await this.requests.request(
      requestTokenBySignInToken,
      { ...input, ...readClientInfo(request) },
      { scope },
    );
    this.keepToken(request, reply, created.token);
    return created;
  }

  @Route(signOut)
  async end({ input, scope, request, reply }: Call<typeof signOut>): Promise<Out<typeof signOut>> {
    const ended = await this.requests.request(signOut, input, {
      scope,
      idempotencyKey: request.id,
    });
    this.access.dropAfter("auth", scope);
    // Keep the device cookie: signing out must not lock the owner out while someone else is
    // guessing.
    setSessionCookies(request, reply, this.config, "", 0);
    return ended;
  }

  /** The guard has already checked it. */
  @Route(checkToken)
  check(): Promise<string> {
    return Promise.resolve("OK");
  }

  @Route(ping)
  ping(): Promise<{ online: true }> {
    return Promise.resolve({ online: true });
  }

  private keepToken(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
    if (token !== null)
      setSessionCookies(
        request,
        reply,
        this.config,
        token,
        Math.floor(this.config.JWT_EXPIRY / 1000),
      );
  }
}

/** Origin of the session, for the session list and the throttle; never taken from the body. */
function readClientInfo(request: FastifyRequest): {
  address: string | undefined;
  userAgent: string | undefined;
} {
  return {
    address: clientAddress(request),
    userAgent: request.headers["user-agent"]?.slice(0, longestUserAgent),
  };
}

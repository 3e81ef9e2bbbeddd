import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  beginOpenId,
  completeOpenId,
  finishOpenId,
  startOpenId,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { publicOrigin } from "../http/public-origin.ts";
import { clientAddress } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { openIdCookie, openIdSeconds, setCookie } from "../session/cookies.ts";
import { redirectOr, takeReturn, withQuery } from "../session/sign-in-return.ts";

const callbackPath = "/api/auth/openid/callback";
/** Page of the web app that exchanges a one-time token for a session or shows what went wrong. */
const landingPath = "/sso/simple";

/** Redirects the browser to the OpenID provider and back; failures end on a page with a message. */
@Injectable()
export class OpenIdRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: ProcessConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Route(startOpenId)
  async start({ input, scope, request, reply }: Call<typeof startOpenId>): Promise<void> {
    await this.lead(reply, async () => {
      const redirectUri = `${publicOrigin(request, this.config)}${callbackPath}`;
      const { url, sealed } = await this.requests.request(
        beginOpenId,
        { redirectUri, redirectTo: input.redirectTo ?? null },
        { scope },
      );
      setCookie(request, reply, this.config, openIdCookie, sealed, openIdSeconds);
      return url;
    });
  }

  @Route(finishOpenId)
  async finish({ scope, request, reply }: Call<typeof finishOpenId>): Promise<void> {
    await this.lead(reply, async () => {
      const { sealed, callbackUrl } = takeReturn(request, reply, this.config, {
        cookie: openIdCookie,
        path: callbackPath,
      });
      if (sealed === null) throw new CarrelError("openid.cookie-missing");
      const { token, redirectTo } = await this.requests.request(
        completeOpenId,
        { callbackUrl, sealed, address: clientAddress(request) },
        { scope },
      );
      return withQuery(landingPath, { token, ...(redirectTo === null ? {} : { redirectTo }) });
    });
  }

  /**
   * Redirects to the URL that `find` returns, or to the page with the error message if it fails.
   */
  private async lead(reply: FastifyReply, find: () => Promise<string>): Promise<void> {
    const { logger } = this;
    await redirectOr(landingPath, { reply, logger, failed: "an OpenID sign-in failed" }, () =>
      find().catch((error: unknown) => {
        // Users don't type these parameters, so details about invalid input wouldn't help.
        const isMalformed = error instanceof CarrelError && error.kind === "BAD_INPUT";
        throw isMalformed ? new CarrelError("openid.answer-malformed") : error;
      }),
    );
  }
}

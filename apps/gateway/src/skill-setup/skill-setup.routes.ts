import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  beginOutlookSignIn,
  checkDatabase,
  completeOutlookSignIn,
  finishOutlookSignIn,
  isErrorCode,
  startOutlookSignIn,
  validateSqlConnection,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { setFault } from "../http/fault-header.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { Route, type Call } from "../http/route.ts";
import { outlookCookie, outlookSeconds, setCookie } from "../session/cookies.ts";
import { redirectOr, takeReturn, withQuery } from "../session/sign-in-return.ts";

/** The agents page of the web app names this one, because the app's registration needs it. */
const callbackPath = "/api/agent-skills/outlook/auth-callback";
/** Page of the web app that shows how a sign-in ended. */
const landingPage = "/settings/agents?skill=outlook-agent";

/**
 * Sends the browser to Microsoft's sign-in page and takes it back, and tries the databases that
 * agents may query.
 */
@Injectable()
export class SkillSetupRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: ProcessConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The wire's sentence doesn't say why a connection failed; the header does. */
  @Route(validateSqlConnection)
  async testDatabase({
    input,
    scope,
    reply,
  }: Call<typeof validateSqlConnection>): Promise<Out<typeof validateSqlConnection>> {
    const { fault } = await this.requests.request(checkDatabase, input, { scope });
    if (fault === null) return { success: true, error: null };
    const { code, params = {} } = fault;
    if (isErrorCode(code)) setFault(reply, { code, params });
    return {
      success: false,
      error: `Unable to connect to ${input.engine}. Please verify your connection details.`,
    };
  }

  @Route(startOutlookSignIn)
  async start({
    scope,
    request,
    reply,
  }: Call<typeof startOutlookSignIn>): Promise<Out<typeof startOutlookSignIn>> {
    const redirectUri = `${publicOrigin(request, this.config)}${callbackPath}`;
    const { url, sealed } = await this.requests.request(
      beginOutlookSignIn,
      { redirectUri },
      { scope },
    );
    setCookie(request, reply, this.config, outlookCookie, sealed, outlookSeconds);
    return { success: true, url, error: null };
  }

  @Route(finishOutlookSignIn)
  async finish({ scope, request, reply }: Call<typeof finishOutlookSignIn>): Promise<void> {
    const { logger } = this;
    const failed = "a sign-in to Outlook failed";
    await redirectOr(landingPage, { reply, logger, failed }, async () => {
      const { sealed, callbackUrl } = takeReturn(request, reply, this.config, {
        cookie: outlookCookie,
        path: callbackPath,
      });
      if (sealed === null) throw new CarrelError("account.sign-in-expired", { name: "Outlook" });
      const { address } = await this.requests.request(
        completeOutlookSignIn,
        { callbackUrl, sealed },
        { scope },
      );
      return withQuery(landingPage, { connected: address ?? "Outlook" });
    });
  }
}

import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  admitQuestion,
  admitVisitor,
  beginVisit,
  readWidgetPage,
  type In,
  type KnownFault,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, Throttle, addressGroup, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";
import { EventModule } from "../event/event.module.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import {
  QuestionLimits,
  VisitorTokens,
  createSessionId,
  isSignedSession,
} from "./visitor-tokens.ts";
import { WidgetHandler } from "./widget.handler.ts";
import {
  WidgetRepository,
  allowedOrigins,
  isAllowed,
  type PlacedWidget,
  type Visit,
} from "./widget.repository.ts";

/** Requests from one address to one widget: a burst, and the time to earn one more. */
const pace = { capacity: 120, refillMs: 500 };

/** The highest temperature that any model takes. */
const hottest = 2;

interface Visitor {
  /** The visitor whose limit the question counts against. */
  id: string;
  /** The name that the site's server signed; null if it didn't. */
  name: string | null;
}

/** What visitors of other sites may do (wire-contract 8.2). */
@Controller()
class VisitorHandler {
  private readonly requiresList: boolean;

  constructor(
    private readonly widgets: WidgetRepository,
    private readonly tokens: VisitorTokens,
    private readonly limits: QuestionLimits,
    private readonly throttle: Throttle,
    @Inject(CONFIG) config: InstanceConfig,
  ) {
    this.requiresList = config.EMBED_REQUIRE_ALLOWLIST;
  }

  @Handle(readWidgetPage)
  async page(
    { uuid }: In<typeof readWidgetPage>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readWidgetPage>> {
    const placed = await this.widgets.findPublic(scope, uuid);
    if (placed === null) return { page: null };
    const { widget } = placed;
    const origins = allowedOrigins(widget, this.requiresList);
    return {
      page: {
        origins: origins === null ? null : [...origins],
        isEnabled: widget.enabled,
        hasPage: widget.pageEnabled,
        name: widget.name,
        appearance: widget.appearance,
      },
    };
  }

  @Handle(beginVisit)
  async begin(
    input: In<typeof beginVisit>,
    { scope }: RequestContext,
  ): Promise<Out<typeof beginVisit>> {
    const { widget } = await this.open(scope, input);
    if (!(await this.isInPace(scope, widget.id))) throw new CarrelError("visitor.too-fast");
    const identity =
      input.identity === null
        ? null
        : await this.tokens.readIdentity(input.identity, widget.identitySecret);
    if (input.identity !== null && identity === null)
      throw new CarrelError("visitor.identity-invalid");
    const known = await this.tokens.read(input.token, widget.id);
    // The next person at this computer may be logged in as someone else, or not at all.
    const isSame = known !== null && known.sub === identity?.sub;
    const sid = isSame ? known.sid : createSessionId();
    const token = await this.tokens.create({
      wid: widget.id,
      sid,
      vid: isSame ? known.vid : identity === null ? sid : `identity:${identity.sub}`,
      ...(identity === null ? {} : { sub: identity.sub, name: identity.name }),
    });
    return {
      sessionId: sid,
      token,
      showSources: widget.showSources,
      suggestedMessages: widget.suggestedMessages,
      greeting: widget.greeting,
      limitMessages: widget.messages,
      maxMessageLength: widget.messageLength,
    };
  }

  @Handle(admitVisitor)
  async admit(
    input: In<typeof admitVisitor>,
    { scope }: RequestContext,
  ): Promise<Out<typeof admitVisitor>> {
    const placed = await this.open(scope, input);
    const { name } = await this.identify(placed, input);
    return admission(scope, placed, input, { signed: name, claimed: null });
  }

  @Handle(admitQuestion)
  async ask(
    input: In<typeof admitQuestion>,
    { scope }: RequestContext,
  ): Promise<Out<typeof admitQuestion>> {
    const placed = await this.find(scope, input.uuid);
    const { widget } = placed;
    if (!widget.enabled)
      return refuse({ code: "visitor.widget-disabled" }, widget.messages.disabled, null);
    this.requireOrigin(placed, input);
    const visitor = await this.identify(placed, input);
    if (input.length > widget.messageLength)
      throw new CarrelError("visitor.message-too-long", { limit: widget.messageLength });
    if (!(await this.isInPace(scope, widget.id)))
      return refuse({ code: "visitor.too-fast" }, null, 1);
    const { key, sessionId } = input;
    const reached = await this.limits.count(scope, widget, { key, sessionId, visitor: visitor.id });
    if (reached !== null) {
      const { fault, message, retryAfterSeconds } = reached;
      return refuse(fault, widget.messages[message], retryAfterSeconds);
    }
    return {
      refusal: null,
      question: {
        ...admission(scope, placed, input, { signed: visitor.name, claimed: input.username }),
        mode: widget.chatMode,
        historyLimit: widget.historyLimit,
        systemPrompt: widget.allowPromptOverride ? input.prompt : null,
        model: widget.allowModelOverride ? input.model : null,
        temperature:
          widget.allowTemperatureOverride && input.temperature !== null
            ? Math.min(Math.max(input.temperature, 0), hottest)
            : null,
      },
    };
  }

  /** Throws unless there is such a widget, it is enabled, and the page may use it, in this order. */
  private async open(scope: Scope, visit: Visit & { uuid: string }): Promise<PlacedWidget> {
    const placed = await this.find(scope, visit.uuid);
    if (!placed.widget.enabled) throw new CarrelError("visitor.widget-disabled");
    this.requireOrigin(placed, visit);
    return placed;
  }

  private async find(scope: Scope, uuid: string): Promise<PlacedWidget> {
    const placed = await this.widgets.findPublic(scope, uuid);
    if (placed === null) throw new CarrelError("widget.not-found");
    return placed;
  }

  private requireOrigin({ widget }: PlacedWidget, visit: Visit): void {
    if (!isAllowed(widget, visit, this.requiresList))
      throw new CarrelError("visitor.origin-refused");
  }

  /** A session that we began needs its token; one that a client made is known by its id alone. */
  private async identify(
    { widget }: PlacedWidget,
    { sessionId, token }: { sessionId: string; token: string | null },
  ): Promise<Visitor> {
    if (!isSignedSession(sessionId) && !widget.onlySignedVisitors)
      return { id: sessionId, name: null };
    const known = await this.tokens.read(token, widget.id);
    if (known === null || known.sid !== sessionId) throw new CarrelError("visitor.session-invalid");
    return { id: known.vid, name: known.name ?? known.sub ?? null };
  }

  /** While Redis is down, only the widget's own limits count. */
  private async isInPace({ address }: Scope, widgetId: number): Promise<boolean> {
    const key = `widget:${widgetId}:${addressGroup(address)}`;
    return (await this.throttle.take([{ key, ...pace }]).catch(() => 0)) === 0;
  }
}

const refuse = (
  fault: KnownFault,
  text: string | null | undefined,
  retryAfterSeconds: number | null,
): Out<typeof admitQuestion> => ({
  refusal: { fault, text: text ?? null, retryAfterSeconds },
  question: null,
});

const admission = (
  { address, language }: Scope,
  { widget, workspace }: PlacedWidget,
  { origin }: { origin: string | null },
  { signed, claimed }: { signed: string | null; claimed: string | null },
): Out<typeof admitVisitor> => ({
  scope: {
    principal: {
      kind: "widget",
      userId: null,
      role: "none",
      widget: {
        id: widget.id,
        host: origin,
        address: address ?? null,
        username: signed ?? claimed,
        isVerified: signed !== null,
      },
    },
    workspace: { id: workspace.id, slug: workspace.slug },
    ...(language && { language }),
  },
  widgetId: widget.id,
  showSources: widget.showSources,
});

@Module({
  imports: [EventModule, JwtModule.register({}), WorkspaceModule],
  controllers: [VisitorHandler, WidgetHandler],
  providers: [QuestionLimits, VisitorTokens, WidgetRepository],
  exports: [WidgetRepository],
})
export class WidgetModule {}

import {
  findLogo,
  getCustomAppName,
  getFooterData,
  getSupportEmail,
  getWelcomeMessages,
  isDefaultLogo,
  setLogo,
  setWelcomeMessages,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { z } from "zod";
import { ownLabels } from "../preference/preference-definition.ts";
import { PreferenceStore } from "../preference/preference-store.ts";
import { cleanText, readFooter } from "../preference/preference-value.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";

const longestMessage = 10_000;
const text = z.string().nullable().catch(null);
const messages = z.array(z.object({ user: z.string(), response: z.string() })).catch([]);

/** The instance's name, logo and texts as shown on pages. Unset ones have the wire's defaults. */
@Controller()
export class BrandingHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getCustomAppName)
  async name(
    _input: In<typeof getCustomAppName>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getCustomAppName>> {
    return { customAppName: text.parse(await this.find(scope, "custom_app_name")) };
  }

  @Handle(getFooterData)
  async footer(
    _input: In<typeof getFooterData>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getFooterData>> {
    return { footerData: JSON.stringify(readFooter(await this.find(scope, "footer_data"))) };
  }

  @Handle(getSupportEmail)
  async supportEmail(
    _input: In<typeof getSupportEmail>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getSupportEmail>> {
    return { supportEmail: text.parse(await this.find(scope, "support_email")) };
  }

  @Handle(isDefaultLogo)
  async isDefault(
    _input: In<typeof isDefaultLogo>,
    { scope }: RequestContext,
  ): Promise<Out<typeof isDefaultLogo>> {
    return { isDefaultLogo: (await this.logo(scope)) === null };
  }

  @Handle(findLogo)
  async findLogo(
    _input: In<typeof findLogo>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findLogo>> {
    return { key: await this.logo(scope) };
  }

  @Handle(setLogo)
  async setLogo(
    { key }: In<typeof setLogo>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setLogo>> {
    const before = await this.store.update(scope, new Map([[ownLabels.logo, key]]), () => true);
    const previous = text.parse(before.get(ownLabels.logo) ?? null);
    // A redelivery finds the new picture already set, so it must not be reported as free.
    return { previous: previous === key ? null : previous };
  }

  @Handle(getWelcomeMessages)
  async welcomeMessages(
    _input: In<typeof getWelcomeMessages>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getWelcomeMessages>> {
    return {
      success: true,
      welcomeMessages: messages.parse(await this.find(scope, ownLabels.welcomeMessages)),
    };
  }

  /** Stores the messages in order, dropping empty ones. */
  @Handle(setWelcomeMessages)
  async setWelcomeMessages(
    input: In<typeof setWelcomeMessages>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setWelcomeMessages>> {
    const clean = (words: string | null | undefined): string =>
      cleanText(words ?? "", longestMessage, { lines: true });
    const kept = input.messages
      .map(({ user, response }) => ({ user: clean(user), response: clean(response) }))
      .filter(({ user, response }) => user !== "" || response !== "");
    await this.store.update(
      scope,
      new Map([[ownLabels.welcomeMessages, kept.length === 0 ? null : kept]]),
      () => true,
    );
    return { success: true, message: "Welcome messages saved successfully." };
  }

  private async logo(scope: Scope): Promise<string | null> {
    return text.parse(await this.find(scope, ownLabels.logo));
  }

  private async find(scope: Scope, label: string): Promise<unknown> {
    return (await this.preferences.find(scope, label)) ?? null;
  }
}

import {
  getMemberRights,
  getSetup,
  getSurvey,
  getTelemetry,
  listModels,
  listProviders,
  requestToken,
  sendSurvey,
  testProvider,
  updatePassword,
  updatePreferences,
  updateSettings,
  type AllowedModelChanges,
} from "@carrel/contracts";
import { answered, type FakeCall } from "./fake-call.ts";
import { providers } from "./fake-providers.ts";
import type { GatewayState } from "./gateway-state.ts";

/** Settings of the instance and its password in single-user mode. */
export class FakeSettings {
  constructor(private readonly state: GatewayState) {}

  /** Calls that need no session. Returns true if it answered the call. */
  handlePublic({ path, body, json, reply }: FakeCall): boolean {
    const { password, memories, settings } = this.state;
    if (path === "/setup-complete")
      return answered(
        reply(getSetup, {
          results: {
            RequiresAuth: password !== null,
            MultiUserMode: false,
            ...(!this.state.isNew && { VectorDB: "lancedb" }),
            ...memories.settings,
            ...settings,
          },
        }),
      );
    if (path === "/request-token")
      return answered(
        body.password === password
          ? reply(requestToken, { valid: true, token: "token", message: null })
          : json({ valid: false, token: null, message: "[003] Invalid password provided" }, 401),
      );
    return false;
  }

  /** Returns true if it answered the call. */
  handle({ path, method, body, json, reply, text }: FakeCall): boolean {
    const { settings, survey } = this.state;
    if (path === "/onboarding" && method === "POST") {
      this.state.isNew = false;
      return answered(text());
    }
    if (path === "/onboarding/survey") {
      if (method === "GET") return answered(reply(getSurvey, { address: survey.address }));
      if (survey.isRefused) {
        const error = "survey.example.com didn't accept the survey (status 500).";
        return answered(json({ error }, 502));
      }
      survey.sent.push(body);
      return answered(reply(sendSurvey, { success: true }));
    }
    if (path === "/system/check-token") return answered(text());
    if (path === "/system/member-rights")
      return answered(reply(getMemberRights, this.state.memberRights));
    if (path === "/system/providers") {
      const declared = providers(settings);
      const further = this.state.furtherProviders;
      return answered(
        reply(listProviders, {
          ...declared,
          providers: [
            ...declared.providers.filter(({ kind, id }) =>
              further.every((other) => other.kind !== kind || other.id !== id),
            ),
            ...further,
          ],
          allowed: this.state.allowedModels,
        }),
      );
    }
    if (path === "/admin/system-preferences" && "thread_titles_by_model" in body) {
      settings.ThreadTitlesByModel = body.thread_titles_by_model === "true";
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (path === "/admin/system-preferences" && "thread_models_by_everyone" in body) {
      settings.ThreadModelsByEveryone = body.thread_models_by_everyone === "true";
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (path === "/admin/system-preferences" && "members_create_workspaces" in body) {
      settings.MembersCreateWorkspaces = body.members_create_workspaces === "true";
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (path === "/admin/system-preferences" && "thread_models_allowed" in body) {
      const limits = {
        ...this.state.allowedModels,
        ...(body.thread_models_allowed as AllowedModelChanges),
      };
      this.state.allowedModels = Object.fromEntries(
        Object.entries(limits).flatMap(([id, models]) => (models === null ? [] : [[id, models]])),
      );
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (path === "/system/telemetry")
      return answered(
        reply(getTelemetry, {
          address: "https://telemetry.example.com/",
          report: {
            instance: null,
            mode: "single-user",
            languageProvider: "extractive",
            embedder: "native",
            vectorStore: "lancedb",
            workspaces: 3,
          },
        }),
      );
    if (path === "/system/update-env") {
      for (const [key, value] of Object.entries(body))
        if (value === null) delete settings[key];
        else settings[key] = /Key$/.test(key) ? true : value;
      return answered(reply(updateSettings, { newValues: body, error: false }));
    }
    if (path === "/system/custom-models")
      return answered(
        reply(
          listModels,
          body.apiKey === "sk-bad"
            ? { models: [], error: "OpenAI rejected the key (401). Check it in the settings." }
            : {
                models: [
                  { id: "gpt-4.1-nano", contextWindow: 1_047_576, windowSource: "server" },
                  { id: "gpt-4.1" },
                ],
                error: null,
              },
        ),
      );
    if (path === "/system/test-provider") {
      const tried = Object.entries(body.settings as Record<string, string>);
      const model = tried.find(([key]) => key.endsWith("ModelPref"))?.[1];
      return answered(
        reply(
          testProvider,
          tried.some(([, value]) => value === "sk-bad")
            ? {
                result: null,
                error: "OpenAI rejected the key (401). Check it in the settings.",
              }
            : { result: { milliseconds: 412, model: model ?? "", dimensions: null }, error: null },
        ),
      );
    }
    if (path === "/system/update-password") {
      if (this.state.password !== null && body.currentPassword !== this.state.password)
        return answered(
          reply(updatePassword, { success: false, error: "The password is incorrect." }),
        );
      this.state.password = body.usePassword ? String(body.newPassword) : null;
      return answered(reply(updatePassword, { success: true, error: null }));
    }
    return false;
  }
}

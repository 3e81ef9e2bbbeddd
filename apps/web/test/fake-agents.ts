import {
  getAgentModel,
  getSkillReach,
  getSkillSetup,
  getWorkspaceSkills,
  listPreferences,
  listSkillPermissions,
  removeSkillPermission,
  setWorkspaceSkills,
  startOutlookSignIn,
  updatePreferences,
} from "@carrel/contracts";
import { agentPreferences, skills } from "@carrel/contracts/skill-declaration";
import { answered, type FakeCall } from "./fake-call.ts";

const namesOf = (text: unknown): string[] => String(text).split(",").filter(Boolean);

/** What the fake gateway's agents may do. */
export class FakeAgents {
  /** By label, as clients read them. */
  preferences: Record<string, unknown> = {};
  folders: string[] = [];
  callsTools: boolean | null = true;
  /** Skills that are off in workspaces. */
  off: string[] = [];
  /** Stored fields of skills that sign in elsewhere. */
  config: Record<string, string> = {};
  /** Where a sign-in to Outlook leads; it succeeds. */
  signInPage = "/settings/agents?skill=outlook-agent&connected=ada%40contoso.example";
  private isSignedIn = false;
  /** Tools that the person has allowed. */
  allowed: string[] = [];
  sent: Record<string, unknown>[] = [];

  /** Returns true if it answered the call. */
  handle(
    { method, path, query, body, reply }: FakeCall,
    settings: Record<string, unknown>,
  ): boolean {
    if (path === "/admin/system-preferences-for") {
      const labels = (query.get("labels") ?? "").split(",");
      if (!labels.some((label) => agentPreferences.includes(label))) return false;
      return answered(reply(listPreferences, { settings: this.preferences }));
    }
    if (method === "POST" && path === "/admin/system-preferences") {
      if (!Object.keys(body).some((label) => agentPreferences.includes(label))) return false;
      this.sent.push(body);
      for (const [label, value] of Object.entries(body)) this.keep(label, value, settings);
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (path === "/system/agent-reach")
      return answered(reply(getSkillReach, { folders: this.folders, callsTools: this.callsTools }));
    if (path.endsWith("/agent-model"))
      return answered(reply(getAgentModel, { callsTools: this.callsTools }));
    if (path === "/agent-skills/whitelist")
      return answered(
        reply(listSkillPermissions, {
          permissions: this.allowed.map((skillName) => ({
            skillName,
            createdAt: "2026-11-21T00:00:00.000Z",
          })),
        }),
      );
    if (method === "DELETE" && path.startsWith("/agent-skills/whitelist/")) {
      const removed = decodeURIComponent(path.split("/").at(-1)!);
      this.allowed = this.allowed.filter((name) => name !== removed);
      return answered(reply(removeSkillPermission, { success: true, error: null }));
    }
    if (path === "/admin/agent-skills/outlook/auth-url") {
      this.isSignedIn = true;
      return answered(
        reply(startOutlookSignIn, { success: true, url: this.signInPage, error: null }),
      );
    }
    if (path.startsWith("/admin/agent-skills/"))
      return answered(
        reply(getSkillSetup, {
          success: true,
          error: null,
          isConfigured: Object.keys(this.config).length > 1,
          isAuthenticated:
            Object.keys(this.config).length > 1 && (this.isSignedIn || !path.includes("outlook")),
          config: this.config,
        }),
      );
    if (/^\/workspace\/[^/]+\/agent-skills$/.test(path)) {
      if (method === "PUT") {
        this.sent.push(body);
        this.off = body.off as string[];
        return answered(reply(setWorkspaceSkills, { success: true }));
      }
      const on = skills.filter(({ isDefault }) => isDefault);
      return answered(
        reply(getWorkspaceSkills, {
          skills: on.map(({ id }) => ({ id, isOn: !this.off.includes(id) })),
        }),
      );
    }
    return false;
  }

  private keep(label: string, value: unknown, settings: Record<string, unknown>): void {
    if (label === "agent_clarifying_questions_enabled")
      settings.AgentClarifyingQuestionsEnabled = value === "true";
    else if (label === "agent_sql_connections")
      this.preferences[label] = (JSON.parse(String(value)) as Record<string, unknown>[])
        .filter(({ action }) => action !== "remove")
        .map(({ connectionString, engine, database_id, schema }) => {
          const { username, hostname, port, pathname } = new URL(String(connectionString));
          return {
            engine,
            database_id,
            schema,
            username,
            password: "********",
            host: hostname,
            port,
            database: pathname.slice(1),
          };
        });
    else if (label.endsWith("_skills")) this.preferences[label] = namesOf(value);
    else if (label.endsWith("_agent_config"))
      this.config = { ...this.config, ...(value as Record<string, string>) };
    else this.preferences[label] = value;
  }
}

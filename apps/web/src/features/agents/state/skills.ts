import {
  agentLabels,
  isSkill,
  skills,
  type SkillDeclaration,
  type SkillId,
} from "@carrel/contracts/skill-declaration";
import type { Preferences } from "../../../lib/agent-preferences.ts";

export const listSkills = (): readonly (SkillDeclaration & { id: SkillId })[] => skills;

/** Lists beside the skills. */
export const agentViews = ["flows", "credentials", "plugins"] as const;
export type AgentView = (typeof agentViews)[number];
const isView = (view: unknown): view is AgentView => agentViews.some((each) => each === view);

/** The skill whose panel is open; without one, the general settings. */
export interface SkillSearch {
  skill?: SkillId;
  /** One of these lists instead. */
  view?: AgentView;
  /** The plugin whose page is open instead of their list. */
  plugin?: string;
  /** The account of a sign-in that led here. */
  connected?: string;
  /** Why that sign-in failed. */
  fault?: string;
}
/** The router parses query values as JSON, so a fault arrives as an object. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
export const readSkillSearch = ({
  skill,
  view,
  plugin,
  connected,
  fault,
}: Record<string, unknown>): SkillSearch => ({
  ...(isSkill(skill) && { skill }),
  ...(isView(view) && { view }),
  ...(view === "plugins" && plugin !== undefined && { plugin: String(plugin as string) }),
  ...(connected !== undefined && { connected: textOf(connected) }),
  ...(fault !== undefined && { fault: textOf(fault) }),
});

/** Skills that act in one person's account, so they need an instance of one person. */
export const personalSkills = {
  "gmail-agent": "gmail",
  "google-calendar-agent": "google-calendar",
  "outlook-agent": "outlook",
} as const;
export type PersonalSkill = keyof typeof personalSkills;
export const isPersonal = (id: SkillId): id is PersonalSkill => id in personalSkills;

export const namesIn = (preferences: Preferences, label: string): string[] => {
  const value = preferences[label];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
};

/** Whether the skill is on for the instance. */
export function isOn(
  { id, isDefault }: Pick<SkillDeclaration, "isDefault"> & { id: SkillId },
  preferences: Preferences,
  setup: Preferences,
): boolean {
  if (id === "request-user-input") return setup.AgentClarifyingQuestionsEnabled === true;
  return isDefault
    ? !namesIn(preferences, agentLabels.switchedOff).includes(id)
    : namesIn(preferences, agentLabels.switchedOn).includes(id);
}

const toggled = (names: readonly string[], name: string, isListed: boolean): string =>
  [...names.filter((each) => each !== name), ...(isListed ? [name] : [])].join(",");

/** The preference that switches the skill on or off. */
export function switchOf(
  { id, isDefault }: Pick<SkillDeclaration, "isDefault"> & { id: SkillId },
  on: boolean,
  preferences: Preferences,
): Record<string, string> {
  if (id === "request-user-input") return { [agentLabels.asks]: String(on) };
  const label = isDefault ? agentLabels.switchedOff : agentLabels.switchedOn;
  return { [label]: toggled(namesIn(preferences, label), id, isDefault ? !on : on) };
}

/** The preference that switches one of a skill's tools on or off. */
export const toolSwitchOf = (
  label: string,
  tool: string,
  on: boolean,
  preferences: Preferences,
): Record<string, string> => ({
  [label]: toggled(namesIn(preferences, label), tool, !on),
});

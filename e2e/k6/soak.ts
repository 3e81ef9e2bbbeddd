// Half an hour of steady work; the launcher prints memory and open files of each process meanwhile.
import type { Options } from "k6/options";
import { numberFrom } from "./client.ts";
import { dismissTeam, prepareTeam, teamOptions, teamThresholds, type Team } from "./team.ts";

export { pages, questions, searches, uploads } from "./team.ts";

const minutes = numberFrom("MINUTES", 30);

export const options: Options = {
  ...teamOptions({ pages: 60, questions: 60, uploads: 12, searches: 30 }, minutes),
  thresholds: teamThresholds,
};

export const setup = (): Team => prepareTeam("soak", numberFrom("PEOPLE", 50));
export const teardown = (team: Team): void => dismissTeam(team);

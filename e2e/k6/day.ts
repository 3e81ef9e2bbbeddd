// A working day of a team of 200 (PEOPLE): its eight hours of work within MINUTES.
import type { Options } from "k6/options";
import { numberFrom } from "./client.ts";
import {
  dismissTeam,
  prepareTeam,
  teamOptions,
  teamThresholds,
  workOfADay,
  type Team,
} from "./team.ts";

export { pages, questions, searches, uploads } from "./team.ts";

const people = numberFrom("PEOPLE", 200);
const minutes = numberFrom("MINUTES", 20);
const perMinute = (times: number): number => (times * people) / minutes;

export const options: Options = {
  ...teamOptions(
    {
      pages: perMinute(workOfADay.pages),
      questions: perMinute(workOfADay.questions),
      uploads: perMinute(workOfADay.uploads),
      searches: perMinute(workOfADay.searches),
    },
    minutes,
  ),
  thresholds: teamThresholds,
};

export const setup = (): Team => prepareTeam("day", people);
export const teardown = (team: Team): void => dismissTeam(team);

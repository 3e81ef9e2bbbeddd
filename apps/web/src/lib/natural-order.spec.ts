import { expect, it } from "@jest/globals";
import { sortModels } from "./providers.ts";

it("models are sorted as a person would", () =>
  expect(
    sortModels(["model-10", "model-2", "Beta", "model-1", "alpha"].map((id) => ({ id }))).map(
      ({ id }) => id,
    ),
  ).toEqual(["alpha", "Beta", "model-1", "model-2", "model-10"]));

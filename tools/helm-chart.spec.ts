import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instanceShape } from "@carrel/config";
import { jobs } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { chatShape } from "../services/chat/src/chat.config.ts";
import { connectorsShape } from "../services/connectors/src/connectors.config.ts";

const chart = join(import.meta.dirname, "../deploy/helm/carrel");
const read = (file: string): string => readFileSync(join(chart, file), "utf8");

it("scales on queues of ingest that wait as prioritised jobs, which is where KEDA looks", () => {
  const queues = /queues: \[(.*)\]/.exec(read("values.yaml"))![1]!.split(", ");
  const fair = jobs
    .filter((job) => job.service === "ingest" && job.fairBy !== undefined)
    .map((job) => job.queue);
  // Files of chats have their own queue, which is short: each belongs to a person who waits.
  expect(queues.toSorted()).toEqual(fair.filter((queue) => queue !== "parse-file").toSorted());
  expect(read("templates/autoscaling.yaml")).toContain(
    "listName: carrel:{{ $service }}-{{ . }}:prioritized",
  );
});

it("sets variables that exist", () => {
  const names = [...read("templates/_config.tpl").matchAll(/^([A-Z][A-Z0-9_]+):/gm)].map(
    ([, name]) => name!,
  );
  expect(names.length).toBeGreaterThan(6);
  expect(Object.keys(instanceShape)).toEqual(expect.arrayContaining(names));
});

it("gives the service that reads folders of the server its variable and its volumes", () => {
  const [variables, deployments] = [
    read("templates/_config.tpl"),
    read("templates/deployments.yaml"),
  ];
  for (const { service, values, variable, shape } of [
    {
      service: "connectors",
      values: "sourceFolders",
      variable: "CARREL_SOURCE_FOLDERS",
      shape: connectorsShape,
    },
    { service: "chat", values: "agentFolders", variable: "CARREL_AGENT_FOLDERS", shape: chatShape },
  ]) {
    expect(Object.keys(shape)).toContain(variable);
    expect(variables).toContain(`{{- if and (eq .service "${service}") .root.Values.${values} }}`);
    expect(variables).toContain(`- { name: ${variable}, `);
    // The mounts in the container, and the volumes themselves.
    expect(deployments.split(`$root.Values.${values} }}`)).toHaveLength(1 + 2);
  }
});

it("hands over as variables that exist what a Secret may hold besides what it must", () => {
  const template = read("templates/_secret.tpl");
  const lists = [...template.matchAll(/range list ((?:"[A-Z_0-9]+" ?)+)/g)];
  const names = lists.flatMap(([, list]) =>
    [...list!.matchAll(/"(\w+)"/g)].map(([, name]) => name!),
  );
  expect(names).toEqual(expect.arrayContaining(["CARREL_SECRET_OTHER", "CARREL_EGRESS_PROXY"]));
  expect(template).toContain("- name: CARREL_CA\n");
  expect(Object.keys(instanceShape)).toEqual(expect.arrayContaining([...names, "CARREL_CA"]));
});

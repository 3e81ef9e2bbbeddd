import { matchUsers, type In, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import { Controller, Module } from "@nestjs/common";

export interface Person {
  id: number;
  email: string | null;
  username: string;
}

/** Stands in for auth: finds these people. */
export function peopleDouble(people: readonly Person[]): ServiceDefinition {
  @Controller()
  class PeopleDouble {
    @Handle(matchUsers)
    match({ emails, usernames }: In<typeof matchUsers>): Promise<Out<typeof matchUsers>> {
      return Promise.resolve({
        users: people.filter(
          ({ email, username }) =>
            (email !== null && emails.includes(email)) || usernames.includes(username),
        ),
      });
    }
  }
  class PeopleDoubleModule {}
  Module({ controllers: [PeopleDouble] })(PeopleDoubleModule);
  return {
    name: "auth",
    module: PeopleDoubleModule,
    contracts: { operations: [matchUsers], jobs: [], events: [] },
  };
}

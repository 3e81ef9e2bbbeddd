import type { RequestClient } from "@carrel/messaging";
import { SkillReach } from "./skill-reach.ts";

const reach = new SkillReach(
  {} as RequestClient,
  {} as never,
  {
    CARREL_AGENT_FOLDERS: [],
    CARREL_LINK_ALLOW: [],
  } as never,
);

describe("tools of Outlook", () => {
  const app = { clientId: "c", tenantId: "t", clientSecret: "s" };
  it("exist once somebody has signed in", () => {
    expect(reach.outlookTools(null)).toEqual([]);
    expect(reach.outlookTools({ ...app, refreshToken: null })).toEqual([]);
    expect(reach.outlookTools({ ...app, refreshToken: "r" }).map(({ name }) => name)).toContain(
      "outlook-send",
    );
  });
});

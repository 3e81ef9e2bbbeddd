import { join } from "node:path";

const root = import.meta.dirname;

/**
 * All tests as one project, because each of jest.config.mjs's knows only its own package: lists
 * (`--listTests --findRelatedTests`) what imports a file, through packages. Runs none.
 */
export default {
  rootDir: root,
  roots: ["libs", "services", "apps", "clients/typescript", "tools"].map((path) =>
    join(root, path),
  ),
  testMatch: ["**/*.{spec,int-spec}.ts?(x)"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/"],
  modulePathIgnorePatterns: ["/dist/", "/dist.next/"],
  resolver: join(root, "tools/jest-resolver.cjs"),
  transform: {},
};

// Writes services/auth/src/password/common-passwords.txt from the list of zxcvbn-ts (MIT), most
// common first: node tools/write-common-passwords.mjs <passwords.json of @zxcvbn-ts/language-common>
import { readFileSync, writeFileSync } from "node:fs";

/** Shorter ones are refused anyway. */
const shortest = 8;

const passwords = JSON.parse(readFileSync(process.argv[2], "utf8"));
const long = passwords.filter((password) => [...password].length >= shortest);
writeFileSync(
  new URL("../services/auth/src/password/common-passwords.txt", import.meta.url),
  `${long.join("\n")}\n`,
);
console.log(`${long.length} passwords`);

/** What programs need to start and to find their libraries. */
const names = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"];

/** The environment for a program that reads users' uploads, without the instance's secrets. */
export const childEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined),
  ) as NodeJS.ProcessEnv;

/** The program that reads old Office files, if it is installed. */
export const libreOffice = (): string => process.env.CARREL_LIBREOFFICE || "soffice";

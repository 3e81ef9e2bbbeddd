/** Password of every user of the instance. */
export const password = "Library card 42!";

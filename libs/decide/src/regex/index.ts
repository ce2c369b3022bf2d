export { loadRegexes, openRegexes, regexEngine } from './domain-regexes.ts';
export { escapeForRegex, findCompileError, RegexMemory } from './regex.ts';
export { OWNER_PLACEHOLDER, readRegexShape, USER_PLACEHOLDER } from './regex-shape.ts';

/** Why a question is left out. */
export const STATES_NOTHING = 'is a question, which states nothing that could be judged';

/** Whether a text ends with a question, also within quotation marks: nobody claims that it is true. Pure. */
export const isQuestion = (text: string): boolean => /[?？]\s*["”“»«’')\]]*\s*$/u.test(text);

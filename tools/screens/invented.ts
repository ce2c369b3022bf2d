const TYPES = ['Regulator', 'Expert', 'Journalist', 'Insider', 'Institutional', 'SocialMedia', 'Anonymous'];
const PLACES = ['North bridge', 'Harbor tunnel', 'Old dam', 'Town hall', 'Water tower', 'Ring road'];
const QUESTIONS = [
  ['closed', ['true', 'false']],
  ['closed_on', ['2025-03-02', '2025-03-03', '2025-03-09']],
  ['people_injured', ['3', '4', '11']],
  ['caused_by', ['frost', 'a lorry', 'neglect']],
] as const;
/** Claims of one question about one place, of one and the same source. */
const PER_QUESTION = 6;
const CLAIMS_PER_SOURCE = 12;
const DAY_MS = 86_400_000;

/** An investigation of so many claims that disagree, the same each time. Pure. */
export function invented(claims: number): object {
  const range = (length: number) => Array.from({ length }, (_, i) => i);
  const actors = Math.ceil(claims / CLAIMS_PER_SOURCE);
  const subjects = Math.ceil(claims / (PER_QUESTION * QUESTIONS.length));
  return {
    research_question: 'What happened to the works of the town after the frost of March?',
    as_of: '2025-04-01T00:00:00Z',
    actors: range(actors).map((i) => ({
      id: `a${i}`,
      name: `${['Ministry', 'Institute', 'Gazette', 'Foreman', 'Operator', 'Account', 'Letter'][i % 7]} ${i + 1}`,
      source_type: TYPES[i % TYPES.length],
    })),
    subjects: range(subjects).map((i) => ({
      id: `s${i}`,
      name: `${PLACES[i % PLACES.length]} ${Math.floor(i / PLACES.length) + 1}`,
      subject_type: 'structure',
    })),
    claims: range(claims).map((i) => {
      const question = Math.floor(i / PER_QUESTION);
      const [predicate, answers] = QUESTIONS[question % QUESTIONS.length]!;
      const value = answers[(i * 7 + question) % answers.length]!;
      return {
        id: `c${i}`,
        actor_id: `a${(i * 7 + question) % actors}`,
        subject_id: `s${Math.floor(question / QUESTIONS.length)}`,
        predicate,
        value,
        content: `It is written that ${predicate.replaceAll('_', ' ')} is ${value}.`,
        assertion_time: new Date(Date.UTC(2025, 2, 1) + (i % 30) * DAY_MS).toISOString(),
      };
    }),
  };
}

import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clause, opened, shortAnswer, statement, textOf } from './statements.ts';

const said = (subject: string, predicate: string, value: string | null) =>
  textOf(statement({ subject, predicate, value }));

describe('the sentence of a proposition', () => {
  it.each([
    ['First flight', 'achieved_by', 'Wilbur Wright', 'The first flight was achieved by Wilbur Wright'],
    ['No. 21', 'flew_under_power', 'true', 'No. 21 flew under power'],
    ['No. 21', 'took_off_unassisted', 'yes', 'No. 21 took off unassisted'],
    ['No. 21', 'credited_by_publisher', 'true', 'No. 21 was credited by the publisher'],
    ['The machine', 'capable_of_flight', 'true', 'The machine is capable of flight'],
    ['LK-99', 'superconductor_at_room_temperature', 'true', 'LK-99 is a superconductor at room temperature'],
    ['LK-99', 'will_be_confirmed', 'true', 'LK-99 will be confirmed'],
    ['The photo', 'shows_powered_flight', 'true', 'The photo shows powered flight'],
    ['The dam', 'alarm_was_raised', 'true', 'For the dam, the alarm was raised'],
    ['The dam', 'leak', 'true', 'The dam has a leak'],
    ['The accident', 'deaths', '31', 'For the accident, the number of deaths is 31'],
    [
      'Europe',
      'predicted_deaths',
      '30,000 to 60,000',
      'For Europe, the number of predicted deaths is 30,000 to 60,000',
    ],
    ['Thyroid cancer', 'cases_registered', '4K', 'For Thyroid cancer, the number of cases registered is 4K'],
    ['LK-99', 'critical_temperature', '400 K', 'The critical temperature of LK-99 is 400 K'],
    ['LK-99', 'cause_of_resistivity_drop', 'copper', 'For LK-99, the cause of resistivity drop was copper'],
    ['The flyer', 'distance_flown', '60 m', 'For the flyer, the distance flown is 60 m'],
    ['The fire', 'cause', 'arson', 'The cause of the fire was arson'],
    ['The fort', 'destroyed', '1689', 'The fort was destroyed in 1689'],
    ['The ship', 'built_in', 'Genoa', 'The ship was built in Genoa'],
    ['Columbus', 'died_in', 'Valladolid', 'Columbus died in Valladolid'],
    ['The river', 'is_called', 'Arno', 'The river is called Arno'],
    ['Bridge', 'open', 'true', 'The bridge is open'],
    ['Bridge', 'safe', 'true', 'The bridge is safe'],
    ['Bridge', 'signed', 'true', 'The bridge was signed'],
    ['Bridge', 'isOpen', 'true', 'The bridge is open'],
    ['APT28', 'uses FoxRat', 'true', 'APT28 uses FoxRat'],
    ['FoxRat', 'communicates with c2.example.org', 'true', 'FoxRat communicates with c2.example.org'],
    ['APT28', 'originates from Russia', 'true', 'APT28 originates from Russia'],
    ['APT28', 'impersonates Bank', 'true', 'APT28 impersonates Bank'],
    ['Bridge', 'is_open', 'true', 'The bridge is open'],
    ['Bridge', 'was_built', 'true', 'The bridge was built'],
    ['Bridge', 'has_children', 'true', 'The bridge has children'],
    ['Bridge', 'took_off_unassisted', 'true', 'The bridge took off unassisted'],
    ['Bridge', 'closed', 'true', 'The bridge is closed'],
    ['Bridge', 'guilty', 'true', 'The bridge is guilty'],
    ['Bridge', 'forged', 'true', 'The bridge was forged'],
    ['Bridge', 'hoax', 'true', 'The bridge is a hoax'],
    ['Bridge', 'accident', 'true', 'The bridge is an accident'],
    ['Bridge', 'structural_defect', 'true', 'The bridge has a structural defect'],
    ['Bridge', 'collapsed', 'true', 'The bridge collapsed'],
    ['Bridge', 'built', 'true', 'The bridge was built'],
    ['Bridge', 'sold', 'true', 'The bridge was sold'],
    ['Bridge', 'last_inspected', 'true', 'The bridge was last inspected'],
    ['Bridge', 'officially_opened', 'true', 'The bridge was officially opened'],
    ['Bridge', 'still_open', 'true', 'The bridge is still open'],
    ['Bridge', 'not_safe', 'true', 'The bridge is not safe'],
    ['Bridge', 'in_use', 'true', 'The bridge is in use'],
    ['Bridge', 'under_construction', 'true', 'The bridge is under construction'],
    ['Bridge', 'missing', 'true', 'The bridge is missing'],
    ['Bridge', 'hit_the_pier', 'true', 'The bridge hit the pier'],
    ['Bridge', 'of_roman_origin', 'true', 'The bridge is of roman origin'],
    ['Bridge', 'located_in_rome', 'true', 'The bridge is located in rome'],
    ['Bridge', 'survived_the_war', 'true', 'The bridge survived the war'],
    ['Bridge', 'author_of_the_letter', 'true', 'The bridge is the author of the letter'],
    ['Bridge', 'can_fly', 'true', 'The bridge can fly'],
    ['Bridge', 'had_brakes', 'true', 'The bridge had brakes'],
    ['Bridge', 'lost', 'true', 'The bridge was lost'],
    ['Bridge', 'known_to_police', 'true', 'The bridge was known to police'],
    ['Bridge', 'dangerous_to_ships', 'true', 'The bridge is dangerous to ships'],
    ['Bridge', 'caused_by_fire', 'true', 'The bridge was caused by fire'],
    ['Bridge', 'human_made', 'true', 'The bridge is human made'],
    ['Bridge', 'bank_owned', 'true', 'The bridge is bank owned'],
    [
      'Outbreak in Alba',
      'hospital_overwhelmed',
      'true',
      'For Outbreak in Alba, the hospital was overwhelmed',
    ],
    ['Flood', 'bridges_destroyed', 'true', 'For the flood, the bridges were destroyed'],
    ['Bridge', 'open_to_public', 'true', 'The bridge is open to public'],
    ['Bridge', 'signed_the_treaty', 'true', 'The bridge signed the treaty'],
    ['Bridge', 'has_been_repaired', 'true', 'The bridge has been repaired'],
    ['Bridge', 'exists', 'true', 'The bridge exists'],
    ['Bridge', 'arson', 'true', '“arson” is true of the bridge'],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      'The cause of the Halden bridge collapse was a ship collision',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision or fatigue crack',
      'The cause of the Halden bridge collapse was a ship collision or a fatigue crack',
    ],
    ['Tower', 'height', '220 m', 'The height of the tower is 220 m'],
    ['East girder', 'last_inspected', '1960', 'The east girder was last inspected in 1960'],
    ['East girder', 'last_inspected', '1906-11-12', 'The east girder was last inspected on 12 November 1906'],
    ['The fort', 'built_in', '1906-11', 'The fort was built in November 1906'],
    ['Columbus', 'died', '1506', 'Columbus died in 1506'],
    ['Fire', 'located_in', 'Oslo', 'The fire is located in Oslo'],
    ['Ship', 'weighs', '20 t', 'The ship weighs 20 t'],
    ['C2', 'indicates', 'malicious-activity', 'C2 indicates malicious-activity'],
    ['Ship', 'number_of_masts', '3', 'For the ship, the number of masts is 3'],
    ['Freighter Maren', 'captain', 'Ole Berg', 'The captain of the freighter Maren is Ole Berg'],
    ['Bridge', 'open', 'false', 'The bridge is not open'],
    ['Bridge', 'maximumLoad', '40 t', 'The maximum load of the bridge is 40 t'],
    ['Bridge', 'year_built', '1950', 'For the bridge, the year built is 1950'],
    ['Tower Bridge', 'open', 'true', 'Tower Bridge is open'],
    ['Wright brothers', 'has_children', 'true', 'The Wright brothers have children'],
    // What a property is of, and what stands behind its last word.
    ['Anna Ek', 'member_of', 'NATO', 'Anna Ek is a member of NATO'],
    ['Anna Ek', 'ceo_of', 'Equinor', 'Anna Ek is the CEO of Equinor'],
    ['Oslo', 'capital_of', 'Norway', 'Oslo is the capital of Norway'],
    ['Oslo', 'part_of', 'Norway', 'Oslo is part of Norway'],
    ['Bo', 'son_of', 'Anna Ek', 'Bo is a son of Anna Ek'],
    ['Bo', 'founding_member_of', 'NATO', 'Bo is a founding member of NATO'],
    ['Bo', 'employee_of', 'NATO', 'Bo is an employee of NATO'],
    ['Bo', 'teacher_at', 'MIT', 'Bo is a teacher at MIT'],
    ['Bo', 'winner_of', 'The 2020 election', 'Bo was the winner of the 2020 election'],
    ['The 2020 election', 'winner', 'Bo', 'The winner of the 2020 election was Bo'],
    ['Bo', 'accused_of', 'theft', 'Bo was accused of theft'],
    ['Bo', 'capable_of', 'theft', 'Bo is capable of theft'],
    ['Bo', 'responsible_for', 'the fire', 'Bo is responsible for the fire'],
    ['Wright brothers', 'member_of', 'NATO', 'For the Wright brothers, “member of” is NATO'],
    ['Zorb', 'frumble_of', 'NATO', 'For Zorb, “frumble of” is NATO'],
    ['Bo', 'part_of_nato', 'true', 'Bo is part of nato'],
    ['Storm Bo', 'damage_to', '3 houses', 'For Storm Bo, “damage to” is 3 houses'],
    ['Wreck', 'distance_from_shore', '3 km', 'For the wreck, the distance from shore is 3 km'],
    ['Green Farm', 'harvest_in_tonnes', '100', 'For Green Farm, the harvest in tonnes is 100'],
    ['Tower', 'height_in_m', '220', 'For the tower, the height in m is 220'],
    ['Taxes', 'risen_by', '3 %', 'Taxes have risen by 3 %'],
    ['Taxes', 'increased_by', '3 %', 'Taxes increased by 3 %'],
    ['Taxes', 'increased_by', 'the council', 'Taxes were increased by the council'],
    ['The outbreak', 'first_case_on', '2025-03-01', 'For the outbreak, the first case was on 1 March 2025'],
    ['The outbreak', 'first_case_in', 'Oslo', 'For the outbreak, “first case in” is Oslo'],
    ['Bridge', 'open_since', '2019', 'The bridge has been open since 2019'],
    ['Bridge', 'closed_since', '2019', 'The bridge has been closed since 2019'],
    ['Bo', 'member_since', '2019', 'Bo has been a member since 2019'],
    ['Zorb', 'frumble_since', '2019', 'For Zorb, “frumble since” is 2019'],
    ['Brana Vrelo', 'inspected_since_2019', 'true', 'Brana Vrelo has been inspected since 2019'],
    ['Brana Vrelo', 'inspected_since_2019', 'false', 'Brana Vrelo has not been inspected since 2019'],
    // Participles with what they act on.
    ['Bo', 'killed', 'two people', 'Bo killed two people'],
    ['Bo', 'killed', '14', 'For Bo, the number killed is 14'],
    ['Bo', 'killed', '1944', 'For Bo, “killed” is 1944'],
    ['Bo', 'killed', '2019-05-01', 'Bo was killed on 1 May 2019'],
    ['Outbreak', 'infected', '1.2k', 'For the outbreak, the number infected is 1.2k'],
    ['Outbreak', 'vaccinated', '80 %', 'For the outbreak, the share vaccinated is 80 %'],
    ['Police', 'arrested', 'Bo', 'Police arrested Bo'],
    ['The river', 'called', 'Arno', 'The river is called Arno'],
    ['The fire', 'located', 'Oslo', 'For the fire, “located” is Oslo'],
    ['The ship', 'stolen', 'two boats', 'For the ship, “stolen” is two boats'],
    // Clauses about something of the subject.
    ['Outbreak', 'vaccine_was_mandatory', 'true', 'For the outbreak, the vaccine was mandatory'],
    ['Outbreak', 'vaccine_was_mandatory', 'false', 'For the outbreak, the vaccine was not mandatory'],
    ['The flood', 'children_were_told', 'true', 'For the flood, the children were told'],
    ['Bridge', 'bridge_was_safe', 'true', 'The bridge was safe'],
    ['The dam', 'it_was_raining', 'true', 'For the dam, it was raining'],
    ['No. 21', 'airframe_capable_of_flight', 'true', 'For No. 21, the airframe is capable of flight'],
    ['Bridge', 'is_safe?', 'true', 'The bridge is safe'],
    // One and many.
    ['The children', 'ill', 'true', 'The children are ill'],
    ['The children', 'was_told', 'true', 'The children were told'],
    ['The children', 'has_fever', 'true', 'The children have fever'],
    ['Women', 'has_vote', 'true', 'Women have vote'],
    ['The men', 'vaccinated', 'true', 'The men are vaccinated'],
    ['The police', 'informed', 'true', 'The police were informed'],
    ['Penguins', 'extinct', 'true', 'Penguins are extinct'],
    ['The victims of the flood', 'was_told', 'true', 'The victims of the flood were told'],
    ['Two species', 'is_extinct', 'true', 'Two species are extinct'],
    ['The news', 'true', 'true', 'The news is true'],
    ['The series', 'was_cancelled', 'true', 'The series was cancelled'],
    ['The species', 'is_extinct', 'true', 'The species is extinct'],
    ['The crisis', 'is_real', 'true', 'The crisis is real'],
    ['The Bank of England', 'has_gold', 'true', 'The Bank of England has gold'],
    ['Paris', 'is_safe', 'true', 'Paris is safe'],
    ['The twins', 'does_lie', 'true', 'The twins do lie'],
    ['The family', 'children', '3', 'For the family, the number of children is 3'],
    ['The island', 'species', '12', 'For the island, the number of species is 12'],
    ['The island', 'diagnosis', '3', 'The diagnosis of the island is 3'],
    ['The island', 'inhabitants', 'the Ek and the Bo', 'The inhabitants of the island are the Ek and the Bo'],
    ['Victims of the flood', 'was_told', 'true', 'Victims of the flood were told'],
    ['Collapse of the dam', 'deliberate', 'true', 'The collapse of the dam is deliberate'],
    ['Two ships', 'sank', 'true', 'Two ships sank'],
    // Further words that a property may consist of.
    ['Bo', 'leaked_by', 'the press', 'Bo was leaked by the press'],
    ['Bo', 'missing', '14', 'For Bo, the number missing is 14'],
    ['Bo', 'first_seen', 'Oslo', 'For Bo, “first seen” is Oslo'],
    ['Bo', 'safe', 'partly', 'For Bo, “safe” is partly'],
    ['Bo', 'same_as', 'Ek', 'Bo is the same as Ek'],
    ['Bo', 'older_than', 'Ek', 'Bo is older than Ek'],
    ['Bo', 'in_office_until', '2019', 'Bo is in office until 2019'],
    ['Bo', 'flows_into', 'the Po', 'Bo flows into the Po'],
    ['Bo', 'what_happened', 'a fire', 'For Bo, “what happened” is a fire'],
    ['Bo', 'people_infected', 'Ek and Ed', 'For Bo, the people infected are Ek and Ed'],
    ['Bo', 'max_speed', '3 km/h', 'The max speed of Bo is 3 km/h'],
    ['The flood', 'nobody_died', 'true', 'For the flood, nobody died'],
    ['Bo', 'vaccines_cause_autism', 'true', '“vaccines cause autism” is true of Bo'],
    ['Bo', 'warned_twice', 'true', 'Bo was warned twice'],
    ['Bo', 'ceo_of_the_bank', 'true', 'Bo is the CEO of the bank'],
    // Days and times of day.
    ['The meeting', 'started_at', '2025-03-01', 'The meeting started on 1 March 2025'],
    [
      'The meeting',
      'start_time',
      '2025-03-01T14:00:00Z',
      'The start time of the meeting is 1 March 2025 at 14:00 UTC',
    ],
    ['Eagle', 'landed_at', '1969-07-20T20:17:40Z', 'Eagle landed on 20 July 1969 at 20:17:40 UTC'],
    ['Eagle', 'landed_at', '1969-07-20T20:17-04:00', 'Eagle landed on 20 July 1969 at 20:17 (UTC−04:00)'],
    ['Eagle', 'landed_at', 'Tranquility Base', 'Eagle landed at Tranquility Base'],
    ['Eagle', 'landed', '1969-07-20T00:00:00Z', 'Eagle landed on 20 July 1969 at 00:00 UTC'],
    ['The box', 'content', '', 'The content of the box is (empty)'],
    ['The dam', 'cause', null, '“cause” is true of the dam'],
    ['The Flyer', 'flew_before_the_14_bis', null, 'The Flyer flew before the 14 bis'],
    ['The dam', 'capable_of_holding', null, 'The dam is capable of holding'],
    ['The flight', 'achieved_by', null, '“achieved by” is true of the flight'],
    ['Columbus', 'died_in', null, '“died in” is true of Columbus'],
  ])(
    'the sentence of %p, %p and %p reads as a person would say it',
    (subject, predicate, value, sentence) => {
      covers('INV-V.60');
      expect(said(subject, predicate, value)).toBe(sentence);
    },
  );

  it('a subject that begins with a common word has it in small letters within a sentence, and a capital in front', () => {
    covers('INV-V.61');
    const told = (subject: string) => {
      const said = { subject, predicate: 'was_told', value: 'true' };
      return [textOf(clause(said)), textOf(statement(said))];
    };
    expect(told('Penguins')).toEqual(['penguins were told', 'Penguins were told']);
    expect(told('Two ships')).toEqual(['two ships were told', 'Two ships were told']);
    expect(told('The 2020 jury')).toEqual(['the 2020 jury was told', 'The 2020 jury was told']);
    expect(told('iPhone')).toEqual(['iPhone was told', 'iPhone was told']);
    expect(told('The Hague')).toEqual(['The Hague was told', 'The Hague was told']);
  });

  it('what a sentence is about stands in front of the words that say how likely it is', () => {
    covers('INV-V.60');
    const deaths = { subject: 'Fire', predicate: 'deaths', value: '14' };
    expect(textOf(opened('It is likely that ', deaths))).toBe(
      'For the fire, it is likely that the number of deaths is 14',
    );
    expect(textOf(statement(deaths, { isDenied: true }))).toBe(
      'For the fire, the number of deaths is not 14',
    );
    expect(
      textOf(
        opened('It is likely that ', {
          ...deaths,
          subject: 'For Berlin, the number of districts is 12',
          predicate: 'is_true',
          value: 'true',
        }),
      ),
    ).toBe('It is likely that for Berlin, the number of districts is 12');
    expect(textOf(opened('It is likely that ', { ...deaths, predicate: 'burned', value: 'true' }))).toBe(
      'It is likely that the fire burned',
    );
  });

  it.each([
    ['landed_at', 'Eagle landed on 1 March 2025 at 14:00 UTC or on 1 March 2025 at 18:30 UTC'],
    ['start_time', 'The start time of Eagle is 1 March 2025 at 14:00 UTC or 1 March 2025 at 18:30 UTC'],
    [
      'first_case_on',
      'For Eagle, the first case was on 1 March 2025 at 14:00 UTC or on 1 March 2025 at 18:30 UTC',
    ],
  ])('two times of day of %p that are tied are both said with their hour', (predicate, sentence) => {
    covers('INV-V.62');
    const either = [{ value: '2025-03-01T14:00:00Z' }, { value: '2025-03-01T18:30:00Z' }];
    expect(textOf(statement({ subject: 'Eagle', predicate, value: either[0]!.value, either }))).toBe(
      sentence,
    );
  });

  it.each([
    ['open', 'true', 'the bridge is not open'],
    ['open', 'false', 'the bridge is open'],
    ['never_finished', 'true', 'the bridge was finished'],
    ['can_fly', 'true', 'the bridge cannot fly'],
    ['flew_under_power', 'true', 'it is not true that the bridge flew under power'],
    ['cause', 'fatigue crack', 'the cause of the bridge was not a fatigue crack'],
  ])('the denial of %p with %p says that it is not so', (predicate, value, sentence) => {
    expect(textOf(clause({ subject: 'Bridge', predicate, value }, { isDenied: true }))).toBe(sentence);
  });

  it('the sentence of an author stands as it is written, its article small within a sentence', () => {
    const said = {
      subject: 'Bridge',
      predicate: 'open',
      value: 'true',
      pattern: 'The {subject} lets cars pass',
    };
    expect(textOf(statement(said))).toBe('The Bridge lets cars pass');
    expect(textOf(clause({ ...said, pattern: 'The span of {subject} is up' }))).toBe(
      'the span of Bridge is up',
    );
  });

  it('the sentence of a proposition isolates every word of a user, by its direction', () => {
    const parts = statement({ subject: 'S', predicate: 'achieved_by', value: 'V' });
    expect(parts.filter((part) => typeof part !== 'string')).toEqual([
      { user: 'S' },
      { user: 'achieved by' },
      { user: 'V' },
    ]);
  });

  it('the sentence of an answer is the value alone, or what it counts', () => {
    const answered = (predicate: string, value: string) =>
      textOf(shortAnswer({ subject: 'S', predicate, value }));
    expect(answered('achieved_by', 'Wilbur Wright')).toBe('Wilbur Wright');
    expect(answered('deaths', '31')).toBe('31 deaths');
    expect(answered('deaths', '1')).toBe('1');
    expect(answered('number_of_masts', '3')).toBe('3');
    expect(answered('landed_at', '2025-03-01T14:00Z')).toBe('1 March 2025 at 14:00 UTC');
  });
});

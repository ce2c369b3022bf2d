import { fromBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/** Numbers of the fields of descriptors that paths of comments are made of (descriptor.proto). */
const MESSAGES = 4;
const SERVICES = 6;
const MEMBERS = 2;

/**
 * The services of authz.v1 with their methods, the fields of each request, and comments, from a descriptor set
 * with source info. Fields of messages within a request are not told.
 */
export function describeMethods(descriptors) {
  const files = fromBinary(FileDescriptorSetSchema, descriptors).file.filter(
    (file) => file.package === 'authz.v1',
  );
  const fieldsOf = new Map(
    files.flatMap((file) => {
      const commentAt = commentsOf(file);
      return file.messageType.map((message, index) => [
        `.authz.v1.${message.name}`,
        message.field.map((field, place) => ({
          name: field.name,
          type: isMap(message, field) ? 'map' : typeOf(field),
          isEnum: isEnum(field),
          oneof: oneofOf(message, field),
          isOptional: field.proto3Optional,
          isRepeated: field.label === FieldDescriptorProto_Label.REPEATED && !isMap(message, field),
          description: commentAt([MESSAGES, index, MEMBERS, place]),
        })),
      ]);
    }),
  );
  return files.flatMap((file) => {
    const commentAt = commentsOf(file);
    return file.service.map((service, index) => ({
      name: service.name,
      description: commentAt([SERVICES, index]),
      methods: service.method.map((method, place) => ({
        name: method.name,
        description: commentAt([SERVICES, index, MEMBERS, place]),
        request: fieldsOf.get(method.inputType) ?? [],
        response: method.outputType.split('.').at(-1),
      })),
    }));
  });
}

/**
 * The messages of responses of authz.v1 that have an enum: the names of all their members in TypeScript, and
 * for each member that is an enum its values' names by number. A message in TypeScript does not hold its type.
 */
export function describeEnums(descriptors) {
  const files = fromBinary(FileDescriptorSetSchema, descriptors).file.filter(
    (file) => file.package === 'authz.v1',
  );
  const valuesOf = new Map(
    files.flatMap((file) =>
      file.enumType.map(({ name, value }) => [
        `.authz.v1.${name}`,
        Object.fromEntries(value.map((one) => [one.number, one.name])),
      ]),
    ),
  );
  const withNested = (message) => [message, ...message.nestedType.flatMap(withNested)];
  return files
    .flatMap((file) => file.messageType.flatMap(withNested))
    .filter(({ name, field }) => !name.endsWith('Request') && field.some(isEnum))
    .map((message) => ({
      members: [...new Set(message.field.map((field) => oneofOf(message, field) ?? field.jsonName))],
      enums: Object.fromEntries(
        message.field.filter(isEnum).map((field) => [field.jsonName, valuesOf.get(field.typeName)]),
      ),
    }));
}

const isEnum = ({ type }) => type === FieldDescriptorProto_Type.ENUM;

/** The `oneof` proper that the field is part of, which comes as one member of the TypeScript type; or null. */
const oneofOf = (message, field) =>
  hasOneof(field) && !field.proto3Optional ? message.oneofDecl[field.oneofIndex].name : null;

/** Whether the place of a `oneof` was written down; it is 0 where it was not. */
const hasOneof = (field) => Object.hasOwn(field, 'oneofIndex');

const isMap = ({ nestedType }, { typeName }) =>
  nestedType.some(({ name, options }) => options?.mapEntry && typeName.endsWith(`.${name}`));

function commentsOf({ sourceCodeInfo }) {
  const comments = new Map(
    (sourceCodeInfo?.location ?? []).map(({ path, leadingComments = '' }) => [
      path.join('.'),
      leadingComments,
    ]),
  );
  return (path) => (comments.get(path.join('.')) ?? '').replaceAll(/\s+/g, ' ').trim();
}

function typeOf({ type, typeName }) {
  const named = typeName?.split('.').at(-1);
  return named === undefined || named === '' ? FieldDescriptorProto_Type[type].toLowerCase() : named;
}

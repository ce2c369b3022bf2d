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
          isEnum: field.type === FieldDescriptorProto_Type.ENUM,
          // Fields of a `oneof` proper come as one member of the TypeScript type.
          oneof:
            field.oneofIndex !== undefined && hasOneof(field) && !field.proto3Optional
              ? message.oneofDecl[field.oneofIndex].name
              : null,
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
